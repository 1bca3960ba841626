package dev.keelson.admission.webhook;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.webhook.ClientConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One webhook of a configuration.
 *
 * @param configuration the name of the MutatingWebhookConfiguration or
 *     ValidatingWebhookConfiguration
 * @param name its name in the configuration
 * @param uid distinguishes it from all others of its step
 * @param client how to reach it
 * @param ignoresFailures whether a failed call counts as an admission ({@code failurePolicy:
 *     Ignore})
 * @param timeout the time for one call
 * @param runsDry whether it may be called for dry runs
 * @param reviewVersions the versions of AdmissionReview that it accepts, in order of preference
 * @param reinvocable whether it is called again after later changes ({@code reinvocationPolicy:
 *     IfNeeded})
 * @param filter which writes it is called for
 */
public record Webhook(
    String configuration,
    String name,
    String uid,
    ClientConfig client,
    boolean ignoresFailures,
    Duration timeout,
    boolean runsDry,
    List<String> reviewVersions,
    boolean reinvocable,
    WebhookFilter filter) {

  private static final long DEFAULT_SECONDS = 10;

  public Webhook {
    reviewVersions = List.copyOf(reviewVersions);
  }

  /** Makes the filter of a webhook. */
  @FunctionalInterface
  public interface Filters {
    /** The filter of the webhook {@code hook} of a configuration. */
    WebhookFilter of(MapNode hook);
  }

  /** The webhooks of a stored configuration, in order. */
  public static List<Webhook> of(String configuration, MapNode root, Filters filters) {
    List<Webhook> webhooks = new ArrayList<>();
    int index = 0;
    for (Node item : root.items("webhooks")) {
      if (item instanceof MapNode hook) {
        webhooks.add(of(configuration, hook, index, filters));
      }
      index++;
    }
    return webhooks;
  }

  private static Webhook of(String configuration, MapNode hook, int index, Filters filters) {
    String name = hook.text("name");
    long seconds =
        hook.get("timeoutSeconds") instanceof Node.Int number ? number.value() : DEFAULT_SECONDS;
    String effects = hook.text("sideEffects");
    return new Webhook(
        configuration,
        name,
        configuration + "/" + name + "/" + index,
        ClientConfig.of(hook.map("clientConfig")),
        hook.text("failurePolicy").equals("Ignore"),
        Duration.ofSeconds(seconds),
        effects.equals("None") || effects.equals("NoneOnDryRun"),
        hook.items("admissionReviewVersions").stream()
            .map(version -> version instanceof Node.Text text ? text.value() : "")
            .toList(),
        hook.text("reinvocationPolicy").equals("IfNeeded"),
        filters.of(hook));
  }
}
