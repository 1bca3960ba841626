package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.value.GoQuote;
import java.time.Duration;

/** The calls of one step, with their failure policies, annotations and metrics. */
final class WebhookCalls {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  private final Step step;
  private final WebhookCaller caller;
  private final WebhookMetrics metrics;

  WebhookCalls(Step step, WebhookCaller caller, WebhookMetrics metrics) {
    this.step = step;
    this.caller = caller;
    this.metrics = metrics;
  }

  /** Whether the selectors and conditions of a webhook select a write. */
  boolean selects(Webhook webhook, AdmissionAttributes call, WebhookFilter.Target target) {
    return switch (webhook
        .filter()
        .select(
            call,
            target,
            (errors, took) ->
                metrics.evaluated(step, webhook.name(), call.operation(), errors, took))) {
      case CALL -> true;
      case UNSELECTED -> false;
      case EXCLUDED -> {
        metrics.excluded(step, webhook.name(), call.operation());
        yield false;
      }
    };
  }

  /** Applies the patch of a webhook, which has operations. */
  @FunctionalInterface
  interface Patched {
    /**
     * Whether the patch changes the object.
     *
     * @throws ApiException if it does not apply
     */
    boolean by(WebhookPatch patch);
  }

  /**
   * Calls a webhook.
   *
   * @param round names the call in audit annotations
   * @param patched is called if the webhook allows the request and sends a patch
   * @return whether a patch changed the object; false if the call failed and that is ignored
   * @throws ApiException if the request is rejected
   */
  boolean call(
      Invocation invocation,
      AdmissionAttributes call,
      AdmittedObjects.Pair objects,
      String round,
      Patched patched) {
    Webhook webhook = invocation.webhook();
    Verb operation = call.operation();
    long begin = System.nanoTime();
    if (call.dryRun() && !webhook.runsDry()) {
      throw unusable(webhook, operation, begin, WebhookDenial.dryRunUnsupported(webhook.name()));
    }
    WebhookResponse response;
    WebhookPatch patch;
    try {
      response = caller.call(step, invocation, call, objects.object(), objects.current());
      answered(webhook, call, response);
      patch = response.allowed() ? patch(webhook, response) : WebhookPatch.NONE;
    } catch (WebhookCaller.CallFailed e) {
      metrics.called(
          step, webhook.name(), operation, e.code(), !webhook.ignoresFailures(), since(begin));
      failed(invocation, call, round, e);
      return false;
    }
    if (!response.allowed()) {
      ApiException denial = WebhookDenial.of(webhook.name(), response.status());
      metrics.called(step, webhook.name(), operation, denial.code(), true, since(begin));
      metrics.rejected(
          step, webhook.name(), operation, WebhookMetrics.Rejection.NO_ERROR, denial.code());
      throw denial;
    }
    boolean changed;
    try {
      changed = !patch.isEmpty() && patched.by(patch);
    } catch (ApiException e) {
      throw unusable(webhook, operation, begin, e);
    }
    metrics.called(step, webhook.name(), operation, OK, false, since(begin));
    return changed;
  }

  /** The error of a webhook that this server cannot ask, or whose patch it cannot apply. */
  private ApiException unusable(Webhook webhook, Verb operation, long begin, ApiException error) {
    metrics.rejected(
        step, webhook.name(), operation, WebhookMetrics.Rejection.APISERVER_INTERNAL_ERROR, 0);
    metrics.called(step, webhook.name(), operation, 0, true, since(begin));
    return error;
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static void answered(
      Webhook webhook, AdmissionAttributes call, WebhookResponse response) {
    response
        .auditAnnotations()
        .forEach((key, value) -> call.annotate(webhook.name() + "/" + key, value));
    response.warnings().forEach(call.warnings());
  }

  private static WebhookPatch patch(Webhook webhook, WebhookResponse response)
      throws WebhookCaller.CallFailed {
    if (response.patch().isEmpty()) {
      return WebhookPatch.NONE;
    }
    WebhookPatch patch;
    try {
      patch = WebhookPatch.of(response.patch());
    } catch (DecodeException e) {
      throw new WebhookCaller.CallFailed(
          webhook.name(), "received undecodable patch in webhook response: " + e.text(), 0, e);
    }
    if (!patch.isEmpty() && !response.patchType().equals(WebhookResponse.JSON_PATCH)) {
      throw new WebhookCaller.CallFailed(
          webhook.name(),
          "unsupported patch type " + GoQuote.quote(response.patchType()),
          BAD_REQUEST,
          null);
    }
    return patch;
  }

  private void failed(
      Invocation invocation,
      AdmissionAttributes call,
      String round,
      WebhookCaller.CallFailed failure) {
    Webhook webhook = invocation.webhook();
    if (!webhook.ignoresFailures()) {
      metrics.rejected(
          step,
          webhook.name(),
          call.operation(),
          WebhookMetrics.Rejection.CALLING_WEBHOOK_ERROR,
          failure.code());
      throw ApiException.internal(failure.text(), failure);
    }
    metrics.failedOpen(step, webhook.name());
    String key = step == Step.MUTATING ? "mutation" : step.adjective();
    call.annotate("failed-open." + key + ".webhook.admission.k8s.io/" + round, webhook.name());
    if (step == Step.MUTATING && call.request().deadline().left().isZero()) {
      throw WebhookDenial.timeout();
    }
  }
}
