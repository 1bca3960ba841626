package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.expression.RequestInputs;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One AdmissionReview (admission.k8s.io, v1 and v1beta1): the request to a webhook and the check of
 * its response (source: apiserver, {@code plugin/webhook/request}).
 *
 * @param version {@code v1} or {@code v1beta1}
 * @param uid the uid of the request, which the response repeats
 */
record AdmissionReview(String version, String uid) {

  private static final String GROUP = "admission.k8s.io";
  private static final String KIND = "AdmissionReview";
  private static final String V1 = "v1";
  private static final String V1BETA1 = "v1beta1";

  /** The response is not that of a webhook. The message is in kube-apiserver's words. */
  static final class InvalidResponse extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether the body cannot be read, so that the call counts as failed. */
    private final boolean unreadable;

    InvalidResponse(String message, boolean unreadable) {
      super(message, null, false, false);
      this.unreadable = unreadable;
    }

    boolean unreadable() {
      return unreadable;
    }

    String text() {
      return String.valueOf(getMessage());
    }
  }

  /** The review for a webhook; null if it accepts no version that is known. */
  static @Nullable AdmissionReview of(List<String> accepted, String uid) {
    for (String version : accepted) {
      if (version.equals(V1) || version.equals(V1BETA1)) {
        return new AdmissionReview(version, uid);
      }
    }
    return null;
  }

  /**
   * The request in JSON.
   *
   * @param object in the version that the webhook asked for; null for a delete
   * @param current in the version that the webhook asked for; null for a create
   */
  byte[] request(
      AdmissionAttributes call,
      Invocation invocation,
      @Nullable ApiObject object,
      @Nullable ApiObject current) {
    MapNode.Builder request = MapNode.builder(16);
    request.put("uid", Node.text(uid));
    RequestInputs.request(call, invocation.resource(), invocation.kind())
        .forEach(
            (field, value) -> {
              if (field.equals("dryRun")) {
                request
                    .put("object", object == null ? Node.Null.NULL : object.root())
                    .put("oldObject", current == null ? Node.Null.NULL : current.root());
              }
              request.put(field, value);
            });
    return ObjectWriter.json(
        MapNode.builder(3)
            .put("kind", Node.text(KIND))
            .put("apiVersion", Node.text(GROUP + "/" + version))
            .put("request", request.build())
            .build());
  }

  /**
   * Reads and verifies the response.
   *
   * @throws InvalidResponse if it is not an answer to this request
   */
  WebhookResponse response(byte[] json, Step step) throws InvalidResponse {
    MapNode review = read(json);
    String apiVersion = review.text("apiVersion");
    String kind = review.text("kind");
    boolean typed = apiVersion.equals(GROUP + "/" + version) && kind.equals(KIND);
    if (!apiVersion.isEmpty() && !kind.isEmpty() && !typed) {
      throw unexpectedType(apiVersion, kind);
    }
    if (!(review.get("response") instanceof MapNode response)) {
      throw invalid("webhook response was absent");
    }
    String patchType = response.text("patchType");
    boolean hasType = response.get("patchType") instanceof Node.Text;
    Node allowed = response.get("allowed");
    if (allowed != null && !(allowed instanceof Node.Bool) && allowed != Node.Null.NULL) {
      throw unreadable(
          "json: cannot unmarshal "
              + WebhookPatch.jsonType(allowed)
              + " into Go struct field AdmissionResponse.response.allowed of type bool");
    }
    String patch = decoded(response.text("patch"));
    if (version.equals(V1)) {
      if (!response.text("uid").equals(uid)) {
        throw invalid(
            "expected response.uid="
                + GoQuote.quote(uid)
                + ", got "
                + GoQuote.quote(response.text("uid")));
      }
      if (!typed) {
        throw invalid(
            "expected webhook response of "
                + GROUP
                + "/v1, Kind="
                + KIND
                + ", got "
                + shownType(apiVersion, kind));
      }
      checkPatch(step, patch, patchType, hasType);
    } else {
      // v1beta1 verifies neither type and uid nor the kind of the patch
      patchType = patch.isEmpty() || step == Step.VALIDATING ? "" : WebhookResponse.JSON_PATCH;
    }
    return WebhookResponse.of(response, step == Step.MUTATING ? patch : "", patchType);
  }

  private static void checkPatch(Step step, String patch, String patchType, boolean hasType)
      throws InvalidResponse {
    if (step == Step.VALIDATING) {
      if (!patch.isEmpty()) {
        throw invalid("validating webhook may not return response.patch");
      }
      if (hasType) {
        throw invalid("validating webhook may not return response.patchType");
      }
      return;
    }
    if (!patch.isEmpty() && !hasType) {
      throw invalid("webhook returned response.patch but not response.patchType");
    }
    if (patch.isEmpty() && hasType) {
      throw invalid("webhook returned response.patchType but not response.patch");
    }
    if (hasType && patchType.isEmpty()) {
      throw invalid("webhook returned invalid response.patchType of \"\"");
    }
  }

  private static MapNode read(byte[] json) throws InvalidResponse {
    try {
      if (ObjectReader.untypedJson(json) instanceof MapNode review) {
        return review;
      }
    } catch (DecodeException e) {
      throw unreadable("couldn't get version/kind; json parse error: " + e.text());
    }
    throw unreadable("couldn't get version/kind; json parse error: no JSON object");
  }

  /** The text that is given in base64, in which line breaks do not count. */
  private static String decoded(String base64) throws InvalidResponse {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64.replace("\r", "").replace("\n", ""));
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw unreadable("illegal base64 data at input byte " + illegal(base64));
    }
  }

  /** Where a text stops being base64. */
  private static int illegal(String base64) {
    int at = 0;
    while (at < base64.length() && isBase64(base64.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isBase64(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "+/\r\n".indexOf(c) >= 0;
  }

  /** Kubernetes decodes other known types as they are, and finds no response in them. */
  private static InvalidResponse unexpectedType(String apiVersion, String kind) {
    return kind.equals(KIND) && apiVersion.startsWith(GROUP + "/v1")
        ? invalid("webhook response was absent")
        : unreadable("no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"");
  }

  private static String shownType(String apiVersion, String kind) {
    return (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + kind;
  }

  private static InvalidResponse unreadable(String message) {
    return new InvalidResponse(message, true);
  }

  private static InvalidResponse invalid(String message) {
    return new InvalidResponse(message, false);
  }
}
