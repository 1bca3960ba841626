package dev.keelson.admission.webhook;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ReinvocationContext;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.Latencies;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * MutatingAdmissionWebhook: calls mutating webhooks one after another, in the order of their
 * configurations' names, and applies their patches (source: apiserver, {@code
 * plugin/webhook/mutating}).
 */
public final class MutatingWebhooks implements Admission {

  private static final String CONTEXT = "MutatingAdmissionWebhook";

  private final WebhookIndex index;
  private final WebhookCalls calls;
  private final ResourceCatalog catalog;

  /** The plugin with the webhooks of {@code source}. */
  public MutatingWebhooks(
      WebhookSource source, WebhookCaller caller, ResourceCatalog catalog, WebhookMetrics metrics) {
    this.index = new WebhookIndex(Step.MUTATING, source, catalog);
    this.calls = new WebhookCalls(Step.MUTATING, caller, metrics);
    this.catalog = catalog;
  }

  /** What the first pass tells the second. */
  private static final class Passes {
    private final Set<String> reinvocable = new HashSet<>();
    private final Set<String> reinvoke = new HashSet<>();
    private @Nullable ApiObject lastOutput;

    void requireReinvoking() {
      reinvoke.addAll(reinvocable);
      reinvocable.clear();
    }
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return !WebhookIndex.isExempt(resource);
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    List<WebhookIndex.Candidate> candidates = index.candidates(call);
    if (!candidates.isEmpty()) {
      ApiObject unused = new Pass(call, null).run(candidates);
    }
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    List<WebhookIndex.Candidate> candidates = index.candidates(call);
    if (candidates.isEmpty()) {
      return object;
    }
    ApiObject whole = call.recorded(object);
    ApiObject result = new Pass(call.withObject(whole), whole).run(candidates);
    return result == null ? whole : result;
  }

  /** One pass over the webhooks. */
  private final class Pass {
    private AdmissionAttributes call;
    private AdmittedObjects objects;
    private final Passes passes;
    private final boolean again;

    /** In the handled version; null for a delete. */
    private @Nullable ApiObject current;

    Pass(AdmissionAttributes call, @Nullable ApiObject object) {
      this.call = call;
      this.objects = new AdmittedObjects(call, catalog);
      this.current = object;
      ReinvocationContext context = call.reinvocation();
      this.again = context.isReinvoke();
      this.passes = context.value(CONTEXT) instanceof Passes known ? known : new Passes();
      context.setValue(CONTEXT, passes);
    }

    @Nullable ApiObject run(List<WebhookIndex.Candidate> candidates) {
      ApiObject before = passes.lastOutput;
      if (again && before != null && !before.equals(current)) {
        // the plugins of this server have changed it since
        passes.requireReinvoking();
      }
      for (WebhookIndex.Candidate candidate : candidates) {
        Webhook webhook = candidate.webhook();
        // a condition that fails in the second pass counts, even if the webhook is not reinvoked
        if (calls.selects(webhook, call, candidate.target())
            && (!again || passes.reinvoke.contains(webhook.uid()))) {
          call(candidate.invocation());
        }
      }
      passes.lastOutput = current;
      return current;
    }

    private void call(Invocation invocation) {
      Webhook webhook = invocation.webhook();
      String round = "round_" + (again ? 1 : 0) + "_index_" + invocation.index();
      boolean changed = false;
      long begin = System.nanoTime();
      try {
        AdmittedObjects.Pair pair = objects.in(invocation.kind());
        changed =
            calls.call(
                invocation,
                call,
                pair,
                round,
                patch -> applied(invocation, pair.object(), patch, round));
      } finally {
        Latencies.addToCurrent(Latencies.Layer.MUTATING_WEBHOOK, System.nanoTime() - begin);
        call.annotate(
            "mutation.webhook.admission.k8s.io/" + round, Annotations.mutation(webhook, changed));
      }
      if (changed) {
        passes.requireReinvoking();
        call.reinvocation().setShouldReinvoke();
      }
      if (webhook.reinvocable()) {
        passes.reinvocable.add(webhook.uid());
      }
    }

    private boolean applied(
        Invocation invocation, @Nullable ApiObject object, WebhookPatch patch, String round) {
      String name = invocation.webhook().name();
      GroupVersionKind kind = invocation.kind();
      StructSchema schema = AdmittedObjects.schema(call, catalog, kind);
      if (object == null || schema == null) {
        throw ApiException.internal(
            "admission webhook "
                + GoQuote.quote(name)
                + " attempted to modify the object, which is not supported for this operation",
            null);
      }
      ApiObject patched = patch.apply(object, kind, schema);
      if (call.request().annotations().showsBodies()) {
        call.annotate(
            "patch.webhook.admission.k8s.io/" + round,
            Annotations.patch(invocation.webhook(), patch));
      }
      boolean changed = !patched.equals(object);
      ApiObject complete = WebhookPatch.defaulted(patched, schema);
      if (complete.equals(object)) {
        return changed;
      }
      ApiObject handled = call.request().versions().convert(complete, kind, call.handledKind());
      current = handled;
      call = call.withObject(handled);
      objects = new AdmittedObjects(call, catalog);
      return changed;
    }
  }

  /** The values of audit annotations. */
  private static final class Annotations {

    private Annotations() {}

    static String mutation(Webhook webhook, boolean mutated) {
      return json(
          MapNode.of("configuration", Node.text(webhook.configuration()))
              .with("webhook", Node.text(webhook.name()))
              .with("mutated", Node.Bool.of(mutated)));
    }

    static String patch(Webhook webhook, WebhookPatch patch) {
      return json(
          MapNode.of("configuration", Node.text(webhook.configuration()))
              .with("webhook", Node.text(webhook.name()))
              .with(
                  "patch",
                  new Node.Items(patch.document().stream().map(Annotations::sorted).toList()))
              .with("patchType", Node.text(WebhookResponse.JSON_PATCH)));
    }

    /** An operation as Go writes it, which reads it into a map. */
    private static Node sorted(Node operation) {
      if (!(operation instanceof MapNode members)) {
        return operation;
      }
      Map<String, Node> sorted = new TreeMap<>();
      members.forEach(sorted::put);
      return MapNode.copyOf(sorted);
    }

    private static String json(MapNode value) {
      return new String(ObjectWriter.json(value), StandardCharsets.UTF_8);
    }
  }
}
