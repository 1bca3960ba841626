package dev.keelson.schema.apply;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import org.jspecify.annotations.Nullable;

/** The versions of one kind, since managers name their fields in the version they wrote in. */
public interface Versions {

  /** The shape of the kind in a version, or null if it is not served in it any more. */
  @Nullable SchemaNode schema(String apiVersion);

  /** An object of one version in another, both of which are served. */
  MapNode convert(MapNode object, String from, String to);
}
