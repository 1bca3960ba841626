package dev.keelson.admission.webhook;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The errors of requests that webhooks reject (source: apiserver, {@code webhook/errors}). */
final class WebhookDenial {

  private static final int LEAST_CODE = 400;

  private WebhookDenial() {}

  /**
   * The error of a denied request: the status of the webhook, which names the webhook.
   *
   * @param status what the webhook says of it, or null
   */
  static ApiException of(String webhook, @Nullable MapNode status) {
    MapNode said = status == null ? MapNode.EMPTY : status;
    String reason = said.text("reason");
    String message = said.text("message");
    String denied = "admission webhook " + GoQuote.quote(webhook) + " denied the request";
    String why = message.isEmpty() ? reason : message;
    long code = number(said, "code");
    return ApiException.ofStatus(
        Math.clamp(code, LEAST_CODE, 599),
        reason,
        why.isEmpty() ? denied + " without explanation" : denied + ": " + why,
        details(said));
  }

  private static ErrorDetails details(MapNode status) {
    MapNode details = status.map("details");
    List<FieldCause> causes =
        details.maps("causes").stream()
            .map(
                cause ->
                    new FieldCause(
                        cause.text("reason"), cause.text("message"), cause.text("field")))
            .toList();
    return new ErrorDetails(
        details.text("group"),
        details.text("kind"),
        details.text("name"),
        details.text("uid"),
        causes,
        Math.clamp(number(details, "retryAfterSeconds"), 0, Integer.MAX_VALUE));
  }

  private static long number(MapNode node, String field) {
    return node.get(field) instanceof Node.Int number ? number.value() : 0;
  }

  /** The error of a dry run that meets a webhook with side effects. */
  static ApiException dryRunUnsupported(String webhook) {
    return ApiException.badRequest(
        "admission webhook " + GoQuote.quote(webhook) + " does not support dry run");
  }

  /** The error of a request whose time is up. */
  static ApiException timeout() {
    return new ApiException(
        Reason.TIMEOUT, "Timeout: request did not complete within requested timeout");
  }

  /**
   * One error for the refusals of several webhooks: the first, with the messages of all.
   *
   * @param refusals at least one
   */
  static ApiException joined(List<ApiException> refusals) {
    ApiException first = refusals.getFirst();
    if (refusals.size() == 1) {
      return first;
    }
    ApiException all =
        ApiException.ofStatus(
            first.code(),
            first.word(),
            "[" + String.join(", ", refusals.stream().map(ApiException::text).toList()) + "]",
            first.details());
    refusals.forEach(all::addSuppressed);
    return all;
  }
}
