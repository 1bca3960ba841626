package dev.keelson.audit;

import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.ResponseStatus;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what Secrets, ConfigMaps and tokens hold out of the messages of refusals. A refusal quotes
 * what it refuses: the value of a field, the begin of a body that is no JSON, all of an object that
 * a patch has spoiled. An event without bodies must not have them by that way.
 */
final class Confidential {

  /** What an event says in place of a message. */
  static final String LEFT_OUT = "left out, since it may quote the object";

  private static final String DECISION = "authorization.k8s.io/decision";

  private static final Set<String> CORE = Set.of("secrets", "configmaps");

  /** Codes whose messages name the object, the user, fields or media types, and quote nothing. */
  private static final Set<Integer> NAMING = Set.of(401, 404, 405, 406, 409, 410, 413, 415, 429);

  private static final int FORBIDDEN = 403;
  private static final int ERRORS = 400;

  private Confidential() {}

  /**
   * The outcome as an event of some level shows it.
   *
   * @param status null while there is none
   * @param object what the request is about; null if it is about no object
   * @param annotations those of the event
   */
  static @Nullable ResponseStatus shown(
      @Nullable ResponseStatus status,
      @Nullable ObjectReference object,
      Level level,
      Map<String, String> annotations) {
    if (status == null
        || object == null
        || level.atLeast(Level.REQUEST_RESPONSE)
        || !isConfidential(object)
        || !mayQuote(status.code(), annotations)) {
      return status;
    }
    return status.withMessage(LEFT_OUT);
  }

  private static boolean isConfidential(ObjectReference object) {
    return switch (object.apiGroup()) {
      case "" ->
          CORE.contains(object.resource())
              || (object.resource().equals("serviceaccounts")
                  && object.subresource().equals("token"));
      case "authentication.k8s.io" -> object.resource().equals("tokenreviews");
      default -> false;
    };
  }

  private static boolean mayQuote(int code, Map<String, String> annotations) {
    if (code == FORBIDDEN) {
      // the authorizer knows no object, admission does
      return !"forbid".equals(annotations.get(DECISION));
    }
    return code >= ERRORS && !NAMING.contains(code);
  }
}
