package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/** The trees of Status objects, with fields in the order in which Kubernetes writes them. */
public final class StatusBody {

  private StatusBody() {}

  /** The Status of a failure. */
  public static MapNode failure(ApiException error) {
    String token = error.details().continueToken();
    MapNode metadata = token.isEmpty() ? MapNode.EMPTY : MapNode.of("continue", Node.text(token));
    MapNode.Builder status = head(metadata).put("status", Node.text("Failure"));
    status.put("message", Node.text(error.text()));
    putText(status, "reason", error.word());
    MapNode details = details(error.details());
    if (!details.isEmpty() || error.details().always()) {
      status.put("details", details);
    }
    return status.put("code", new Node.Int(StatusCodes.of(error))).build();
  }

  /** The Status of a delete (contract, "Status": code 200). */
  public static MapNode success(ErrorDetails about) {
    MapNode.Builder status = head(MapNode.EMPTY).put("status", Node.text("Success"));
    MapNode details = details(about);
    if (!details.isEmpty()) {
      status.put("details", details);
    }
    return status.put("code", new Node.Int(200)).build();
  }

  /**
   * The Status of a successful request without another result.
   *
   * @param message may be empty
   */
  public static MapNode success(int code, String message) {
    MapNode.Builder status = head(MapNode.EMPTY).put("status", Node.text("Success"));
    putText(status, "message", message);
    return status.put("code", new Node.Int(code)).build();
  }

  private static MapNode.Builder head(MapNode metadata) {
    return MapNode.builder(8)
        .put("kind", Node.text("Status"))
        .put("apiVersion", Node.text("v1"))
        .put("metadata", metadata);
  }

  private static MapNode details(ErrorDetails about) {
    MapNode.Builder details = MapNode.builder(6);
    putText(details, "name", about.name());
    putText(details, "group", about.group());
    putText(details, "kind", about.kind());
    putText(details, "uid", about.uid());
    if (!about.causes().isEmpty()) {
      List<Node> causes = about.causes().stream().<Node>map(StatusBody::cause).toList();
      details.put("causes", new Node.Items(causes));
    }
    if (about.retryAfterSeconds() > 0) {
      details.put("retryAfterSeconds", new Node.Int(about.retryAfterSeconds()));
    }
    return details.build();
  }

  private static MapNode cause(FieldCause cause) {
    MapNode.Builder node = MapNode.builder(3);
    putText(node, "reason", cause.reason());
    putText(node, "message", cause.message());
    putText(node, "field", cause.field());
    return node.build();
  }

  private static void putText(MapNode.Builder node, String key, String value) {
    if (!value.isEmpty()) {
      node.put(key, Node.text(value));
    }
  }
}
