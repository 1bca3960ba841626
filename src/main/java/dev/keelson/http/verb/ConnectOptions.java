package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.http.Query;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.Subresource;
import java.util.Locale;

/**
 * Decodes the options object of a connection, for example PodExecOptions, from the query, and the
 * path below a proxy (source: {@code getRequestOptions} of kube-apiserver).
 */
final class ConnectOptions {

  private ConnectOptions() {}

  static ApiObject of(ResourceCall call, Subresource subresource) {
    Query query = call.request().query();
    MapNode.Builder options = MapNode.builder(8);
    options
        .put("kind", Node.text(subresource.kind().kind()))
        .put("apiVersion", Node.text(subresource.kind().apiVersion()));
    for (Field field : subresource.schema().fields()) {
      String name = field.name();
      if (name.equals("kind") || name.equals("apiVersion")) {
        continue;
      }
      if (name.equals("path") && subresource.name().equals("proxy")) {
        String path = path(call);
        if (!path.isEmpty()) {
          options.put(name, Node.text(path));
        }
      } else if (query.has(name)) {
        options.put(name, value(field.type(), query, name));
      }
    }
    return new ApiObject(options.build());
  }

  private static Node value(SchemaNode type, Query query, String name) {
    return switch (type) {
      case Scalar scalar -> scalar(scalar, name, query.first(name));
      case SchemaNode.ListOf list when list.element() instanceof Scalar element ->
          new Node.Items(
              query.all(name).stream().map(value -> scalar(element, name, value)).toList());
      default -> Node.text(query.first(name));
    };
  }

  private static Node scalar(Scalar type, String name, String value) {
    return switch (type) {
      case BOOL ->
          Node.Bool.of(!value.equals("0") && !value.toLowerCase(Locale.ROOT).equals("false"));
      case INT32, INT64 -> {
        try {
          yield new Node.Int(Long.parseLong(value));
        } catch (NumberFormatException _) {
          throw ApiException.badRequest(
              name + ": strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
      }
      default -> Node.text(value);
    };
  }

  private static String path(ResourceCall call) {
    String rest = call.info().rest();
    String path = rest.isEmpty() || rest.startsWith("/") ? rest : "/" + rest;
    return call.info().path().endsWith("/") && !path.endsWith("/") ? path + "/" : path;
  }
}
