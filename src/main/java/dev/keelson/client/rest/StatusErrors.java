package dev.keelson.client.rest;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;

/** Reads the errors of an API server: Status objects, or the text of something in between. */
public final class StatusErrors {

  private static final int LONGEST_TEXT = 512;

  private StatusErrors() {}

  /** The error of a response whose status is not a success. */
  public static ApiException of(ApiTransport.Answer answer) {
    return isJson(answer.body())
            && ObjectReader.untypedJson(answer.body()) instanceof MapNode status
        ? of(answer.status(), status)
        : ApiException.ofStatus(answer.status(), "", text(answer), ErrorDetails.NONE);
  }

  /**
   * The error of a Status object.
   *
   * @param code the HTTP status, used if the object has none
   */
  public static ApiException of(int code, MapNode status) {
    MapNode details = status.map("details");
    ErrorDetails about =
        new ErrorDetails(
            details.text("group"),
            details.text("kind"),
            details.text("name"),
            details.text("uid"),
            details.maps("causes").stream()
                .map(
                    cause ->
                        new FieldCause(
                            cause.text("reason"), cause.text("message"), cause.text("field")))
                .toList(),
            details.get("retryAfterSeconds") instanceof Node.Int seconds
                ? Math.clamp(seconds.value(), 0, Integer.MAX_VALUE)
                : 0,
            status.map("metadata").text("continue"),
            status.get("details") instanceof MapNode);
    int own =
        status.get("code") instanceof Node.Int number && number.value() >= 400
            ? Math.clamp(number.value(), 400, 599)
            : code;
    return ApiException.ofStatus(own, status.text("reason"), status.text("message"), about);
  }

  private static boolean isJson(byte[] body) {
    return body.length > 0 && body[0] == '{';
  }

  private static String text(ApiTransport.Answer answer) {
    byte[] body = answer.body();
    String text =
        new String(body, 0, Math.min(body.length, LONGEST_TEXT), StandardCharsets.UTF_8).strip();
    return text.isEmpty() ? "the server answered with status " + answer.status() : text;
  }
}
