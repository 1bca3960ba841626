package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;

/** Sets the defaults of the version of the request on fields that a client left out. */
@FunctionalInterface
public interface Defaulting {

  /** Sets no defaults. */
  Defaulting NONE = (definition, object) -> object;

  /** The object with its defaults; in the version of {@code definition}, as it stays. */
  ApiObject complete(ResourceDefinition definition, ApiObject object);
}
