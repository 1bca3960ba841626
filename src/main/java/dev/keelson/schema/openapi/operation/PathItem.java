package dev.keelson.schema.openapi.operation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A path with its operations.
 *
 * @param path the template, for example {@code /api/v1/namespaces/{namespace}/pods}
 * @param operations at least one
 */
public record PathItem(String path, List<Operation> operations) {

  private static final Comparator<Parameter> BY_NAME =
      Comparator.comparing(Parameter::name).thenComparing(Parameter::inPath);

  public PathItem {
    operations = List.copyOf(operations);
  }

  /** The parameters that every operation has, by name: documents write them once. */
  public List<Parameter> commonParameters() {
    List<Parameter> common = new ArrayList<>(operations.get(0).parameters());
    operations.forEach(operation -> common.retainAll(operation.parameters()));
    common.sort(BY_NAME);
    return common;
  }

  /** The other parameters of one of the operations, by name. */
  public List<Parameter> ownParameters(Operation operation) {
    List<Parameter> own = new ArrayList<>(operation.parameters());
    own.removeAll(commonParameters());
    own.sort(BY_NAME);
    return own;
  }
}
