package dev.keelson.admission.webhook;

import java.util.List;

/** The webhooks of the cluster. Safe for use by several threads. */
@FunctionalInterface
public interface WebhookSource {

  /**
   * The webhooks of a step in the order of their configurations' names. Includes every write of a
   * configuration that this process answered before the call; the same list as long as nothing
   * changes.
   */
  List<Webhook> webhooks(Step step);
}
