package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;

/** Whether the metadata of an object has the types of an ObjectMeta. Safe for several threads. */
@FunctionalInterface
public interface MetadataTypes {

  /** What Go's JSON decoder says about metadata; empty if it takes them. */
  String problem(Node metadata);
}
