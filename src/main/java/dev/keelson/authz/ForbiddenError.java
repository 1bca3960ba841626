package dev.keelson.authz;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;

/** The Forbidden error of a denied request, with kube-apiserver's message. */
public final class ForbiddenError {

  private ForbiddenError() {}

  /** Creates the error of a request that was not allowed. */
  public static ApiException of(Attributes attributes, Decision decision) {
    String error =
        switch (decision) {
          case Decision.Allow _ -> "";
          case Decision.Deny deny -> deny.error();
          case Decision.NoOpinion none -> none.error();
        };
    if (!error.isEmpty()) {
      return new ApiException(Reason.INTERNAL_ERROR, "Internal error occurred: " + error);
    }
    String reason = decision.reason();
    String message = message(attributes) + (reason.isEmpty() ? "" : ": " + reason);
    return switch (attributes.target()) {
      case Attributes.Path _ -> ApiException.forbidden(new GroupResource("", ""), "", message);
      case Attributes.Resource target ->
          ApiException.forbidden(
              new GroupResource(target.group(), target.resource()), target.name(), message);
    };
  }

  private static String message(Attributes attributes) {
    String who = "User " + quoted(attributes.user().name()) + " cannot " + attributes.verb();
    return switch (attributes.target()) {
      case Attributes.Path target -> who + " path " + quoted(target.path());
      case Attributes.Resource target ->
          who
              + " resource "
              + quoted(target.combined())
              + " in API group "
              + quoted(target.group())
              + (target.namespace().isEmpty()
                  ? " at the cluster scope"
                  : " in the namespace " + quoted(target.namespace()));
    };
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
              } else if (Character.isISOControl(c)) {
                out.append(String.format(java.util.Locale.ROOT, "\\x%02x", c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.append('"').toString();
  }
}
