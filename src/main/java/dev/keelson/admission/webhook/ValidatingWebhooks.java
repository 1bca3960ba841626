package dev.keelson.admission.webhook;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.request.Latencies;
import dev.keelson.request.Spans;
import dev.keelson.schema.ResourceCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * ValidatingAdmissionWebhook: calls validating webhooks side by side (source: apiserver, {@code
 * plugin/webhook/validating}). The refusals of several are told together.
 */
public final class ValidatingWebhooks implements Admission {

  private final WebhookIndex index;
  private final WebhookCalls calls;
  private final ResourceCatalog catalog;

  /** The plugin with the webhooks of {@code source}. */
  public ValidatingWebhooks(
      WebhookSource source, WebhookCaller caller, ResourceCatalog catalog, WebhookMetrics metrics) {
    this.index = new WebhookIndex(Step.VALIDATING, source, catalog);
    this.calls = new WebhookCalls(Step.VALIDATING, caller, metrics);
    this.catalog = catalog;
  }

  /** A call to be made, with its place among the webhooks that are called. */
  private record Planned(Invocation invocation, AdmittedObjects.Pair objects, int place) {}

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return !WebhookIndex.isExempt(resource);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    List<WebhookIndex.Candidate> candidates = index.candidates(call);
    if (candidates.isEmpty()) {
      return;
    }
    AdmittedObjects objects = new AdmittedObjects(call, catalog);
    List<Planned> planned = new ArrayList<>();
    for (WebhookIndex.Candidate candidate : candidates) {
      if (calls.selects(candidate.webhook(), call, candidate.target())) {
        planned.add(
            new Planned(
                candidate.invocation(), objects.in(candidate.target().kind()), planned.size()));
      }
    }
    if (planned.isEmpty()) {
      return;
    }
    if (call.request().deadline().left().isZero()) {
      throw WebhookDenial.timeout();
    }
    long begin = System.nanoTime();
    List<ApiException> refusals = planned.size() == 1 ? alone(call, planned) : many(call, planned);
    Latencies.addToCurrent(Latencies.Layer.VALIDATING_WEBHOOK, System.nanoTime() - begin);
    if (!refusals.isEmpty()) {
      throw WebhookDenial.joined(refusals);
    }
  }

  private List<ApiException> alone(AdmissionAttributes call, List<Planned> planned) {
    ApiException refusal = refusal(call, planned.getFirst());
    return refusal == null ? List.of() : List.of(refusal);
  }

  /** Every call on a thread of its own; the refusals are in the order of the webhooks. */
  private List<ApiException> many(AdmissionAttributes call, List<Planned> planned) {
    List<FutureTask<@Nullable ApiException>> running = new ArrayList<>(planned.size());
    for (Planned one : planned) {
      FutureTask<@Nullable ApiException> task =
          new FutureTask<>(Spans.carried(() -> refusal(call, one)));
      Thread unused = Thread.ofVirtual().name("validating-webhook").start(task);
      running.add(task);
    }
    List<ApiException> refusals = new ArrayList<>();
    try {
      for (FutureTask<@Nullable ApiException> task : running) {
        ApiException refusal = task.get();
        if (refusal != null) {
          refusals.add(refusal);
        }
      }
    } catch (InterruptedException e) {
      running.forEach(task -> task.cancel(/* mayInterruptIfRunning= */ true));
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call of a webhook failed", e.getCause());
    }
    return refusals;
  }

  private @Nullable ApiException refusal(AdmissionAttributes call, Planned planned) {
    try {
      boolean unused =
          calls.call(
              planned.invocation(),
              call,
              planned.objects(),
              "round_0_index_" + planned.place(),
              patch -> {
                throw new IllegalStateException("a validating webhook has no patch");
              });
      return null;
    } catch (ApiException e) {
      return e;
    }
  }
}
