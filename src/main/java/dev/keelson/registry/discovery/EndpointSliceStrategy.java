package dev.keelson.registry.discovery;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.KindStrategy;

/** Counts a change of labels, which name the service, as a change of the generation. */
public final class EndpointSliceStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return object.meta().labels().equals(current.meta().labels())
        ? object
        : object.withMeta(object.meta().withGeneration(current.meta().generation() + 1));
  }
}
