/**
 * The controller of ReplicaSets, and that of ReplicationControllers: creates and deletes pods until
 * each ReplicaSet has as many as it wants, and keeps its status. Knows pods and ReplicaSets through
 * informers only. Begin with {@link dev.keelson.controller.replicaset.ReplicaSetController}.
 */
@NullMarked
package dev.keelson.controller.replicaset;

import org.jspecify.annotations.NullMarked;
