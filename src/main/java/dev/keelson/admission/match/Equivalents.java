package dev.keelson.admission.match;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other groups and versions by which the objects of a resource are served. */
public final class Equivalents {

  private Equivalents() {}

  /** The equivalent resources of a resource or subresource, without itself. */
  public static List<Matched> of(
      ResourceDefinition asked, String subresource, ResourceCatalog.Snapshot catalog) {
    StoredType type = asked.storage();
    List<Matched> found = new ArrayList<>();
    if (type == null) {
      return found;
    }
    for (ResourceDefinition each : catalog.storedUnder(type.keyPrefix())) {
      StoredType other = each.storage();
      if (other != null
          && other.kind().kind().equals(type.kind().kind())
          && !each.gvr().equals(asked.gvr())) {
        GroupVersionKind kind = kind(each, subresource);
        if (kind != null) {
          found.add(new Matched(each.gvr(), kind));
        }
      }
    }
    return found;
  }

  private static @Nullable GroupVersionKind kind(
      ResourceDefinition definition, String subresource) {
    if (subresource.isEmpty()) {
      return definition.gvk();
    }
    Subresource part = definition.subresources().get(subresource);
    return part == null ? null : part.kind();
  }
}
