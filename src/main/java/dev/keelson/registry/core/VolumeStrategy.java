package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;

/** Sets the phase of new volumes and claims to Pending, and the time of the phase of a volume. */
public enum VolumeStrategy implements KindStrategy {
  CLAIM {
    @Override
    public ApiObject prepareForCreate(ApiObject object) {
      return DataSources.settled(super.prepareForCreate(object), MapNode.EMPTY);
    }

    @Override
    public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
      return DataSources.settled(object, current.root().map("spec"));
    }
  },
  VOLUME {
    @Override
    public ApiObject prepareForCreate(ApiObject object) {
      ApiObject pending = super.prepareForCreate(object);
      MapNode status = pending.root().map("status");
      return pending.with(
          "status",
          status.with("lastPhaseTransitionTime", Node.text(object.meta().creationTimestamp())));
    }
  };

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return object.with("status", MapNode.of("phase", Node.text("Pending")));
  }
}
