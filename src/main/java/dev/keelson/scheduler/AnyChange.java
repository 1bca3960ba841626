package dev.keelson.scheduler;

import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;

/** Calls back after every change. */
record AnyChange<T>(Runnable callback) implements ObjectListener<T> {

  @Override
  public void added(ObjectName name, T object) {
    callback.run();
  }

  @Override
  public void updated(ObjectName name, T before, T after) {
    callback.run();
  }

  @Override
  public void deleted(ObjectName name, T last) {
    callback.run();
  }
}
