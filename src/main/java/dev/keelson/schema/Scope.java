package dev.keelson.schema;

/** Whether objects live in a namespace. */
public enum Scope {
  CLUSTER,
  NAMESPACED
}
