package dev.keelson.http.history;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.Format;
import dev.keelson.http.media.Negotiation;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The representations of histories. */
final class HistoryFormat {

  private static final String TEXT = "text/plain; charset=utf-8";

  private HistoryFormat() {}

  /** How a list is sent. */
  @FunctionalInterface
  interface Listed {
    ApiResponse answer(MapNode list);
  }

  /**
   * The format of a list: {@code output=table} is text in columns, else the Accept header decides
   * between JSON and YAML.
   *
   * @throws ApiException of reason BadRequest for another output, NotAcceptable if the client takes
   *     neither
   */
  static Listed listed(ApiRequest request) {
    String output = request.query().first("output");
    return switch (output) {
      case "" -> {
        Format format = Negotiation.text(request);
        yield list -> tree(request, format, list);
      }
      case "table" -> list -> text(RevisionTable.of(list));
      default -> throw ApiException.badRequest("output: expected table, found \"" + output + "\"");
    };
  }

  /** A tree as JSON or YAML. */
  static ApiResponse tree(ApiRequest request, Format format, Node tree) {
    byte[] body =
        format == Format.YAML
            ? ObjectWriter.yaml(tree)
            : withNewline(
                Negotiation.pretty(request)
                    ? ObjectWriter.prettyJson(tree)
                    : ObjectWriter.json(tree));
    return ApiResponse.of(200, format.mediaTypes().getFirst(), body);
  }

  /** Plain text. */
  static ApiResponse text(String text) {
    return ApiResponse.of(200, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] withNewline(byte[] json) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(json.length + 1);
    line.writeBytes(json);
    line.write('\n');
    return line.toByteArray();
  }
}
