import {
  createLinkCode,
  findBridgeChat,
  linkChat,
  listBridgeChats,
  listServedChats,
  noteReceived,
  noteProgress,
  unlinkChat,
} from './bridge-chats.ts';
import { claimBridge, listBots, noteBot, notePosition, releaseBridge, renewBridge } from './bridges.ts';

/** What there is to do about chats, for the list of all operations. */
export const bridgeOperations = [
  claimBridge,
  renewBridge,
  releaseBridge,
  noteBot,
  notePosition,
  listBots,
  createLinkCode,
  linkChat,
  findBridgeChat,
  listBridgeChats,
  listServedChats,
  unlinkChat,
  noteProgress,
  noteReceived,
];
