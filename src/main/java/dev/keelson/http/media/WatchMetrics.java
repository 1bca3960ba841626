package dev.keelson.http.media;

import dev.keelson.schema.ResourceDefinition;

/** Records what watches send. Called on event loops; must be fast and not block. */
public interface WatchMetrics {

  /** Records nothing. */
  WatchMetrics NONE = definition -> OfType.NONE;

  /** Returns the metrics of the watches of a type in a version. */
  OfType of(ResourceDefinition definition);

  /** The metrics of one type. */
  interface OfType {

    /** Records nothing. */
    OfType NONE =
        new OfType() {
          @Override
          public void sent(long bytes) {}

          @Override
          public void listed(boolean namespace, long nanos) {}
        };

    /** An event of so many bytes is sent. */
    void sent(long bytes);

    /**
     * The initial objects and the bookmark after them have been handed to the connection.
     *
     * @param namespace whether they are those of one namespace
     * @param nanos the time since the watch began
     */
    void listed(boolean namespace, long nanos);
  }
}
