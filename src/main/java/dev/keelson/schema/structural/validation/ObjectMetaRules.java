package dev.keelson.schema.structural.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ObjectMeta;
import java.util.List;

/** The rules that the metadata of every object follows. */
@FunctionalInterface
public interface ObjectMetaRules {

  /** Accepts everything. */
  ObjectMetaRules NONE = (metadata, path) -> List.of();

  /**
   * The causes to reject the metadata of an embedded object, whose name may be any path segment.
   *
   * @param path where the metadata is, for example {@code spec.template.metadata}
   */
  List<FieldCause> validate(ObjectMeta metadata, String path);
}
