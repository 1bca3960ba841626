package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of a step by the kind of write that their rules match. The rules are evaluated once
 * for each operation and resource; a write that no webhook matches costs one look-up. Rebuilt when
 * the webhooks or the served resources change. Safe for use by several threads.
 */
final class WebhookIndex {

  /** Configurations that webhooks are not called for, so that one can always be removed. */
  private static final Set<String> EXEMPT =
      Set.of(
          "validatingwebhookconfigurations",
          "mutatingwebhookconfigurations",
          "validatingadmissionpolicies",
          "validatingadmissionpolicybindings",
          "mutatingadmissionpolicies",
          "mutatingadmissionpolicybindings");

  private static final String EXEMPT_GROUP = "admissionregistration.k8s.io";
  private static final int MOST_INDEXED = 10_000;

  private final Step step;
  private final WebhookSource source;
  private final ResourceCatalog catalog;
  private volatile @Nullable Generation generation;

  private record Write(Verb operation, GroupVersionResource resource, String subresource) {}

  /** A webhook whose rules match, and what they match. */
  record Candidate(Webhook webhook, int index, WebhookFilter.Target target) {

    Invocation invocation() {
      return new Invocation(webhook, index, target.resource(), target.kind());
    }
  }

  private record Generation(
      List<Webhook> webhooks,
      ResourceCatalog.Snapshot resources,
      Map<Write, List<Candidate>> candidates) {}

  WebhookIndex(Step step, WebhookSource source, ResourceCatalog catalog) {
    this.step = step;
    this.source = source;
    this.catalog = catalog;
  }

  /** Whether webhooks are never called for a resource. */
  static boolean isExempt(GroupResource resource) {
    return resource.group().equals(EXEMPT_GROUP) && EXEMPT.contains(resource.resource());
  }

  /** The webhooks whose rules match a write, in order. */
  List<Candidate> candidates(AdmissionAttributes call) {
    List<Webhook> webhooks = source.webhooks(step);
    if (webhooks.isEmpty()) {
      return List.of();
    }
    ResourceCatalog.Snapshot resources = catalog.snapshot();
    Generation known = generation;
    if (known == null || known.webhooks != webhooks || known.resources != resources) {
      known = new Generation(webhooks, resources, new ConcurrentHashMap<>());
      generation = known;
    }
    ResourceDefinition definition = call.definition();
    Write write = new Write(call.operation(), definition.gvr(), call.subresource());
    List<Candidate> found = known.candidates.get(write);
    if (found == null) {
      found = matching(webhooks, write, definition);
      if (known.candidates.size() >= MOST_INDEXED) {
        known.candidates.clear();
      }
      known.candidates.put(write, found);
    }
    return found;
  }

  private static List<Candidate> matching(
      List<Webhook> webhooks, Write write, ResourceDefinition definition) {
    List<Candidate> matching = new ArrayList<>();
    for (int i = 0; i < webhooks.size(); i++) {
      Webhook webhook = webhooks.get(i);
      int index = i;
      webhook
          .filter()
          .target(write.operation(), definition, write.subresource())
          .ifPresent(target -> matching.add(new Candidate(webhook, index, target)));
    }
    return List.copyOf(matching);
  }
}
