import { deleteExpiredRequests, getRequest, listRequests, recordRequests } from './kept-requests.ts';

/** Every operation on the record of requests. */
export const requestOperations = [recordRequests, listRequests, getRequest, deleteExpiredRequests];
