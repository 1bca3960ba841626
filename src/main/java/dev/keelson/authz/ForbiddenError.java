package dev.keelson.authz;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.value.GoQuote;

/** The Forbidden error of a denied request, with kube-apiserver's message. */
public final class ForbiddenError {

  private ForbiddenError() {}

  /** Creates the error of a request that was not allowed. */
  public static ApiException of(Attributes attributes, Decision decision) {
    if (!decision.error().isEmpty()) {
      return new ApiException(
          Reason.INTERNAL_ERROR, "Internal error occurred: " + decision.error());
    }
    return because(attributes, decision.reason());
  }

  /**
   * Creates the error of a request that is refused for {@code reason}.
   *
   * @param reason may be empty
   */
  public static ApiException because(Attributes attributes, String reason) {
    String message = message(attributes) + (reason.isEmpty() ? "" : ": " + reason);
    return switch (attributes.target()) {
      case Attributes.Path _ -> ApiException.forbidden(new GroupResource("", ""), "", message);
      case Attributes.Resource target ->
          ApiException.forbidden(
              new GroupResource(target.group(), target.resource()), target.name(), message);
    };
  }

  private static String message(Attributes attributes) {
    String who = "User " + GoQuote.quote(attributes.user().name()) + " cannot " + attributes.verb();
    return switch (attributes.target()) {
      case Attributes.Path target -> who + " path " + GoQuote.quote(target.path());
      case Attributes.Resource target ->
          who
              + " resource "
              + GoQuote.quote(target.combined())
              + " in API group "
              + GoQuote.quote(target.group())
              + (target.namespace().isEmpty()
                  ? " at the cluster scope"
                  : " in the namespace " + GoQuote.quote(target.namespace()));
    };
  }
}
