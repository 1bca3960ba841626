package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.KindStrategy;
import java.util.List;

/** Repacks the subsets of Endpoints into their canonical form. */
public final class EndpointsStrategy implements KindStrategy {

  private static final String SUBSETS = "subsets";

  @Override
  public ApiObject canonical(ApiObject object) {
    List<Node> sent = object.root().items(SUBSETS);
    if (sent.isEmpty()) {
      return object;
    }
    List<Node> packed = EndpointSubsets.repacked(sent);
    return packed.isEmpty()
        ? object.without(SUBSETS)
        : object.with(SUBSETS, new Node.Items(packed));
  }
}
