package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.object.ApiObject;
import dev.keelson.request.Spans;
import dev.keelson.value.GoQuote;
import dev.keelson.webhook.CallLimits;
import dev.keelson.webhook.CertificateFlaw;
import dev.keelson.webhook.Credentials;
import dev.keelson.webhook.WebhookClient;
import dev.keelson.webhook.WebhookException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls webhooks. Safe for use by several threads; blocks. */
public final class WebhookCaller {

  /** Enough for an answer to a small request. */
  private static final int MIN_RESPONSE_BYTES = 4 << 20;

  /** More than any object has; a longer answer fails its own request. */
  private static final int MAX_RESPONSE_BYTES = 32 << 20;

  /**
   * How much longer than the request a response may be: a patch in base64, or all of the object.
   */
  private static final int GROWTH = 4;

  private final Supplier<WebhookClient> client;
  private final Credentials credentials;
  private final Supplier<UUID> uids;

  /**
   * A caller.
   *
   * @param client is asked for when the first webhook is called
   * @param credentials what this server shows to webhooks
   * @param uids makes the uids of requests
   */
  public WebhookCaller(
      Supplier<WebhookClient> client, Credentials credentials, Supplier<UUID> uids) {
    this.client = client;
    this.credentials = credentials;
    this.uids = uids;
  }

  /** A call failed: the failurePolicy decides. The message is in kube-apiserver's words. */
  static final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int UNAVAILABLE = 503;

    private final int code;

    CallFailed(String webhook, String why, int code, @Nullable Throwable cause) {
      super("failed calling webhook " + GoQuote.quote(webhook) + ": " + why, cause);
      this.code = code == 0 ? UNAVAILABLE : code;
    }

    /** The status for metrics. */
    int code() {
      return code;
    }

    String text() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Calls a webhook.
   *
   * @param object in the kind of the invocation; null for a delete
   * @param current in the kind of the invocation; null for a create
   * @throws CallFailed if there is no valid response in time
   */
  WebhookResponse call(
      Step step,
      Invocation invocation,
      AdmissionAttributes call,
      @Nullable ApiObject object,
      @Nullable ApiObject current)
      throws CallFailed {
    Webhook webhook = invocation.webhook();
    String uid = uids.get().toString();
    AdmissionReview review = AdmissionReview.of(webhook.reviewVersions(), uid);
    if (review == null) {
      throw new CallFailed(
          webhook.name(),
          "could not create admission objects: webhook does not accept known AdmissionReview"
              + " versions (v1, v1beta1)",
          400,
          null);
    }
    byte[] request = review.request(call, invocation, object, current);
    byte[] response;
    try (Spans.Open span = traced(step, webhook, call, uid)) {
      response = posted(span, webhook, call, request);
    } catch (WebhookException e) {
      annotate(call, webhook, e.certificateFlaw());
      throw new CallFailed(webhook.name(), "failed to call webhook: " + e.text(), e.status(), e);
    }
    try {
      return review.response(response, step);
    } catch (AdmissionReview.InvalidResponse e) {
      throw new CallFailed(
          webhook.name(),
          (e.unreadable() ? "failed to call webhook: " : "received invalid webhook response: ")
              + e.text(),
          0,
          e);
    }
  }

  private byte[] posted(
      Spans.@Nullable Open span, Webhook webhook, AdmissionAttributes call, byte[] request)
      throws WebhookException {
    try {
      return client
          .get()
          .post(webhook.client(), request, limits(webhook, call, request), credentials);
    } catch (WebhookException e) {
      if (span != null) {
        span.failed(e.text());
      }
      throw e;
    }
  }

  /** The span of a call, with kube-apiserver's name and attributes; null without tracing. */
  private static Spans.@Nullable Open traced(
      Step step, Webhook webhook, AdmissionAttributes call, String uid) {
    Spans.Open span =
        Spans.open(step == Step.MUTATING ? "Call mutating webhook" : "Call validating webhook");
    return span == null
        ? null
        : span.with("configuration", webhook.configuration())
            .with("webhook", webhook.name())
            .with("resource", call.definition().gvr().toString())
            .with("subresource", call.subresource())
            .with("operation", call.operation().name())
            .with("UID", uid);
  }

  private static void annotate(
      AdmissionAttributes call, Webhook webhook, @Nullable CertificateFlaw flaw) {
    if (flaw != null) {
      // the host may have a port, so that this is no qualified name
      call.request()
          .annotations()
          .annotate(flaw.annotation(webhook.client().host()), flaw.reason());
    }
  }

  private static CallLimits limits(Webhook webhook, AdmissionAttributes call, byte[] request) {
    Duration left = call.request().deadline().left();
    Duration timeout = left.compareTo(webhook.timeout()) < 0 ? left : webhook.timeout();
    int bytes = Math.clamp((long) GROWTH * request.length, MIN_RESPONSE_BYTES, MAX_RESPONSE_BYTES);
    return new CallLimits(
        timeout.isZero() ? Duration.ofNanos(1) : timeout, bytes, /* repeatable= */ true);
  }
}
