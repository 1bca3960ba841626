package dev.keelson.registry.apiregistration;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Timestamps;
import java.time.InstantSource;
import java.util.List;

/** A new APIService without a service is served here, and so available from the start. */
public final class ApiServiceStrategy implements KindStrategy {

  private final Timestamps timestamps;

  public ApiServiceStrategy(InstantSource clock) {
    this.timestamps = new Timestamps(clock);
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    if (object.root().map("spec").has("service")) {
      return object;
    }
    MapNode local =
        MapNode.of("type", Node.text("Available"))
            .with("status", Node.text("True"))
            .with("lastTransitionTime", Node.text(timestamps.now()))
            .with("reason", Node.text("Local"))
            .with("message", Node.text("Local APIServices are always available"));
    return object.with("status", MapNode.of("conditions", new Node.Items(List.of(local))));
  }
}
