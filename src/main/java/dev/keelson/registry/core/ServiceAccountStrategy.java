package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.ArrayList;
import java.util.List;

/**
 * The secrets of a service account are those of its namespace, of which only the name counts
 * (source: cleanSecretReferences).
 */
public final class ServiceAccountStrategy implements KindStrategy {

  private static final String SECRETS = "secrets";

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return withNames(object);
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return withNames(object);
  }

  private static ApiObject withNames(ApiObject account) {
    List<Node> named = new ArrayList<>();
    boolean changed = false;
    for (Node item : account.root().items(SECRETS)) {
      Node kept = item instanceof MapNode secret ? named(secret) : item;
      changed |= kept != item;
      named.add(kept);
    }
    return changed ? account.with(SECRETS, new Node.Items(named)) : account;
  }

  /** {@code secret} itself if it has nothing but a name. */
  private static MapNode named(MapNode secret) {
    int names = secret.has("name") ? 1 : 0;
    return secret.size() == names
        ? secret
        : names == 0 ? MapNode.EMPTY : MapNode.of("name", Node.text(secret.text("name")));
  }
}
