package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import java.util.List;

/** The rules of custom resources for the validation of their definitions. */
public final class DefinitionExpressions implements SchemaExpressions {

  @Override
  public List<FieldCause> check(Request request) {
    return SchemaChecks.check(
        request.schema(), request.path(), request.unchanged(), request.skipped());
  }
}
