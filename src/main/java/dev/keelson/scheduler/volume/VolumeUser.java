package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.ObjectName;

/** A pod, as far as its volumes matter. */
public interface VolumeUser {

  /** Namespace and name of the pod. */
  ObjectName name();

  /** The uid of the pod. */
  String uid();

  /** The volumes of the pod. */
  PodVolumes volumes();
}
