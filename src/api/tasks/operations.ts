import type { Operation } from '../contract/operation.ts';
import { taskDriveBrowser } from './browser/task.driveBrowser.ts';
import { taskWatchBrowser } from './browser/task.watchBrowser.ts';
import { taskListPreviews } from './previews/task.listPreviews.ts';
import { shareArchive } from './shares/share.archive.ts';
import { shareDetail } from './shares/share.detail.ts';
import { shareListMessages } from './shares/share.listMessages.ts';
import { shareStream } from './shares/share.stream.ts';
import { taskClear } from './task.clear.ts';
import { taskConfirmAction } from './task.confirmAction.ts';
import { taskCreate } from './task.create.ts';
import { taskDelete } from './task.delete.ts';
import { taskDetail } from './task.detail.ts';
import { taskList } from './task.list.ts';
import { taskListMessages } from './task.listMessages.ts';
import { taskComment } from './people/task.comment.ts';
import { taskDeleteComment } from './people/task.deleteComment.ts';
import { taskHandOver } from './people/task.handOver.ts';
import { taskListAssigned } from './people/task.listAssigned.ts';
import { taskListComments } from './people/task.listComments.ts';
import { taskUpdateComment } from './people/task.updateComment.ts';
import { taskListRatings } from './ratings/task.listRatings.ts';
import { taskRate } from './ratings/task.rate.ts';
import { taskModelCall } from './requests/task.modelCall.ts';
import { taskRepeat } from './requests/task.repeat.ts';
import { taskSearch } from './task.search.ts';
import { taskSendMessage } from './task.sendMessage.ts';
import { taskShow } from './task.show.ts';
import { taskStop } from './task.stop.ts';
import { taskStream } from './task.stream.ts';
import { taskToken } from './task.token.ts';
import { taskUpdate } from './task.update.ts';
import { taskWatch } from './task.watch.ts';
import { workspaceList } from './workspace.list.ts';
import { workspaceRead } from './workspace.read.ts';

export const taskOperations: readonly Operation[] = [
  taskCreate,
  taskDetail,
  taskList,
  taskSendMessage,
  taskListMessages,
  taskStream,
  taskStop,
  taskToken,
  taskUpdate,
  taskDelete,
  taskClear,
  taskConfirmAction,
  taskRate,
  taskListRatings,
  taskComment,
  taskListComments,
  taskUpdateComment,
  taskDeleteComment,
  taskHandOver,
  taskListAssigned,
  workspaceList,
  workspaceRead,
  taskSearch,
  taskRepeat,
  taskModelCall,
  taskShow,
  taskWatch,
  taskWatchBrowser,
  taskDriveBrowser,
  taskListPreviews,
  shareArchive,
  shareDetail,
  shareListMessages,
  shareStream,
];
