package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;

/** Sets the phase of new claims to Pending, and the two fields for their source from each other. */
public final class ClaimStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    ApiObject pending = object.with("status", MapNode.of("phase", Node.text("Pending")));
    return DataSources.settled(pending, MapNode.EMPTY);
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return DataSources.settled(object, current.root().map("spec"));
  }
}
