package dev.keelson.admission.webhook;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verified response of a webhook.
 *
 * @param patch the patch in JSON, or empty
 * @param patchType the kind of the patch, or empty
 * @param status why the request is denied; null if the webhook does not say
 * @param auditAnnotations annotations for the audit event, without the webhook's name
 * @param warnings warnings for the client
 */
record WebhookResponse(
    boolean allowed,
    String patch,
    String patchType,
    @Nullable MapNode status,
    Map<String, String> auditAnnotations,
    List<String> warnings) {

  static final String JSON_PATCH = "JSONPatch";

  WebhookResponse {
    auditAnnotations = Map.copyOf(auditAnnotations);
    warnings = List.copyOf(warnings);
  }

  static WebhookResponse of(MapNode response, String patch, String patchType) {
    return new WebhookResponse(
        response.get("allowed") == Node.Bool.TRUE,
        patch,
        patchType,
        response.get("status") instanceof MapNode status ? status : null,
        response.map("auditAnnotations").texts(),
        response.items("warnings").stream()
            .filter(Node.Text.class::isInstance)
            .map(item -> ((Node.Text) item).value())
            .toList());
  }
}
