package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.KindStrategy;
import java.util.UUID;

/** Names a limit range that comes without a name, as kube-apiserver's strategy does. */
public final class LimitRangeStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return object.meta().name().isEmpty()
        ? object.withMeta(object.meta().withText("name", UUID.randomUUID().toString()))
        : object;
  }
}
