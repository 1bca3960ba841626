package dev.keelson.storage.encryption;

import dev.keelson.api.GroupResource;
import java.util.Map;

/**
 * The transformers of resources: of one resource, else of all in its group (resource {@code *}),
 * else of everything (group and resource {@code *}), else identity.
 *
 * @param transformers by resource or wildcard
 */
public record ResourceTransformers(Map<GroupResource, Transformer> transformers) {

  private static final GroupResource EVERYTHING = new GroupResource("*", "*");

  public ResourceTransformers {
    transformers = Map.copyOf(transformers);
  }

  /** The transformer of {@code resource}. */
  public Transformer of(GroupResource resource) {
    Transformer own = transformers.get(resource);
    if (own != null) {
      return own;
    }
    Transformer group = transformers.get(new GroupResource(resource.group(), "*"));
    return group != null
        ? group
        : transformers.getOrDefault(EVERYTHING, IdentityTransformer.INSTANCE);
  }
}
