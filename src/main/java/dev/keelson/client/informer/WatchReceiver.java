package dev.keelson.client.informer;

import dev.keelson.object.ApiObject;

/** Receives what a watch tells. Called by the follower of the watch alone. */
interface WatchReceiver {

  /** All objects follow, and {@link #complete} behind them. */
  void begin();

  /** Changes follow; an incomplete state is dropped. */
  void resume();

  /** An object is there or has changed. */
  void changed(ObjectName name, ApiObject object);

  /** An object is gone. */
  void deleted(ObjectName name);

  /** The objects since {@link #begin} are all there are. */
  void complete();
}
