package dev.keelson.registry;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.schema.FieldLabels;
import dev.keelson.schema.GarbageCollectionPolicy;
import dev.keelson.schema.ResetFields;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.Subresource;
import java.util.List;
import java.util.Map;

/**
 * Describes a subresource as a resource definition, so that its bodies are decoded, patched and
 * encoded like those of a resource.
 */
public final class SubresourceDefinition {

  private SubresourceDefinition() {}

  /**
   * The subresource {@code name} of {@code parent}, which has one of that name. Nothing is stored
   * under it.
   */
  public static ResourceDefinition of(ResourceDefinition parent, String name) {
    Subresource part = parent.subresources().get(name);
    if (part == null) {
      throw new IllegalArgumentException(parent.gvr() + " has no " + name);
    }
    return new ResourceDefinition(
        new GroupVersionResource(
            part.kind().group(), part.kind().version(), parent.gvr().resource() + "/" + name),
        part.kind().kind(),
        part.kind().kind() + "List",
        name,
        parent.scope(),
        part.verbs(),
        List.of(),
        List.of(),
        part.schema(),
        new StoredType(name, part.kind(), part.schema()),
        Map.of(),
        new ResourceDefinition.Behaviour(
            parent.behaviour().nameRule(),
            /* generation= */ false,
            /* unconditionalUpdate= */ true,
            /* createOnUpdate= */ false,
            /* statusOnCreate= */ false,
            parent.behaviour().strategicMerge(),
            FieldLabels.COMMON,
            ResetFields.NONE,
            GarbageCollectionPolicy.UNSUPPORTED,
            /* deletionWarning= */ "",
            Map.of()),
        /* deprecationWarning= */ "");
  }
}
