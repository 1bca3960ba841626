package dev.keelson.schema.apply;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import org.jspecify.annotations.Nullable;

/** The versions of one kind; managers name their fields in the version of their write. */
public interface Versions {

  /** The schema of the kind in a version, or null if that is no longer served. */
  @Nullable SchemaNode schema(String apiVersion);

  /** An object of one version in another, both of which are served. */
  MapNode convert(MapNode object, String from, String to);
}
