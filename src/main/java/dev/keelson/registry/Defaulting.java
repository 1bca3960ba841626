package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;

/** Fills in what a client left out and the version of the request has a value for. */
@FunctionalInterface
public interface Defaulting {

  /** Fills in nothing. */
  Defaulting NONE = (definition, object) -> object;

  /** The object with its defaults; in the version of {@code definition}, as it stays. */
  ApiObject complete(ResourceDefinition definition, ApiObject object);
}
