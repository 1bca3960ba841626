package dev.keelson.server.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.cel.schema.SchemaChecks;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import java.util.List;

/** Compiles the CEL rules of a CustomResourceDefinition. */
final class DefinitionExpressions implements SchemaExpressions {

  @Override
  public List<FieldCause> check(Request request) {
    return SchemaChecks.check(
        request.schema(), request.path(), request.unchanged(), request.skipped());
  }
}
