package dev.keelson.schema.openapi.operation;

import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The methods of a sub-path that opens a stream or passes requests on.
 *
 * @param sub the sub-path
 * @param target what is connected to, as operation names call it
 * @param parameters of every method
 */
record ConnectOperations(Subresource sub, String target, List<Parameter> parameters) {

  /**
   * One operation a method.
   *
   * @param withPath whether the path goes on behind the subresource
   */
  List<Operation> all(boolean withPath) {
    List<Parameter> all = new ArrayList<>(parameters);
    all.removeIf(parameter -> parameter.name().equals("pretty"));
    if (withPath) {
      // The options have a query parameter of the same name; the two differ by place.
      all.add(Parameter.path("path", "The rest of the path to pass on."));
    }
    return methods().stream().map(method -> operation(method, all, withPath)).toList();
  }

  /** A sub-path that can be deleted passes every method on. */
  private List<String> methods() {
    List<String> methods = new ArrayList<>();
    boolean everyMethod = sub.verbs().contains(Verb.DELETE);
    addIf(sub.verbs().contains(Verb.GET), methods, "get");
    addIf(sub.verbs().contains(Verb.UPDATE), methods, "put");
    addIf(sub.verbs().contains(Verb.CREATE), methods, "post");
    addIf(everyMethod, methods, "delete");
    addIf(everyMethod, methods, "options");
    addIf(everyMethod, methods, "head");
    addIf(sub.verbs().contains(Verb.PATCH), methods, "patch");
    return methods;
  }

  private static void addIf(boolean wanted, List<String> methods, String method) {
    if (wanted) {
      methods.add(method);
    }
  }

  private Operation operation(String method, List<Parameter> all, boolean withPath) {
    return new Operation(
        method,
        "connect" + OperationId.camel(method, true) + target + (withPath ? "WithPath" : ""),
        "Connects " + method.toUpperCase(Locale.ROOT) + " requests to " + sub.name() + ".",
        "connect",
        sub.kind(),
        all,
        null,
        MediaTypes.ANY,
        Map.of(200, Scalar.STRING));
  }
}
