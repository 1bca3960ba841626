package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.defaulting.SchemaDefaults;
import java.nio.charset.StandardCharsets;

/** Sets the defaults of the version of the request on fields that a client left out. */
@FunctionalInterface
public interface Defaulting {

  /** Sets no defaults. */
  Defaulting NONE = (definition, object) -> object;

  /** Sets the defaults that the schema of the version declares. */
  static Defaulting bySchema() {
    SchemaDefaults defaults = schemaDefaults();
    return (definition, object) ->
        new ApiObject(defaults.complete(object.root(), definition.schema()));
  }

  /** The defaults that schemas declare. */
  static SchemaDefaults schemaDefaults() {
    return new SchemaDefaults(
        literal -> ObjectReader.untypedJson(literal.getBytes(StandardCharsets.UTF_8)));
  }

  /** The object with its defaults; in the version of {@code definition}, as it stays. */
  ApiObject complete(ResourceDefinition definition, ApiObject object);
}
