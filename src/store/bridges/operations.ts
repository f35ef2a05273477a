import {
  createLinkCode,
  findBridgeChat,
  getBridgeChat,
  linkChat,
  listBridgeChats,
  listServedChats,
  noteReceived,
  noteProgress,
  unlinkChat,
} from './bridge-chats.ts';
import { claimBridge, listBots, noteBot, notePosition, releaseBridge, renewBridge } from './bridges.ts';

/** Every operation on linked chats and their bots. */
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
  getBridgeChat,
  listBridgeChats,
  listServedChats,
  unlinkChat,
  noteProgress,
  noteReceived,
];
