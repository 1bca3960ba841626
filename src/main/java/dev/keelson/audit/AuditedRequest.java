package dev.keelson.audit;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Impersonated;
import dev.keelson.audit.event.JsonDocument;
import dev.keelson.audit.event.JsonDocument.Omission;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The audit of one request that a policy names. Collects what the events show while the request is
 * handled and generates an event at each stage. Used by one thread at a time.
 */
public final class AuditedRequest {

  private final List<Selected> selected;
  private final Level level;
  private final RequestFacts facts;
  private final AuditMetrics metrics;
  private final InstantSource clock;

  private @Nullable ObjectReference objectRef;
  private @Nullable Impersonated impersonated;
  private @Nullable ResponseStatus status;
  private final Embedded requestObject = new Embedded();
  private final Embedded responseObject = new Embedded();

  AuditedRequest(
      List<Selected> selected,
      RequestInfo info,
      RequestFacts facts,
      AuditMetrics metrics,
      InstantSource clock) {
    this.selected = List.copyOf(selected);
    this.level =
        selected.stream().map(one -> one.config().level()).max(Level::compareTo).orElseThrow();
    this.facts = facts;
    this.metrics = metrics;
    this.clock = clock;
    this.objectRef =
        info instanceof RequestInfo.Resource resource ? ObjectReference.of(resource) : null;
  }

  /** The highest level that a back end records. */
  public Level level() {
    return level;
  }

  /** Records as whom the user acts. */
  public void impersonated(UserInfo user, String constraint) {
    impersonated = new Impersonated(user, constraint);
  }

  /** Records the decoded request object: of its metadata at any level, the body from Request on. */
  public void requestObject(ObjectSource source) {
    ObjectReference reference = objectRef;
    if (reference != null) {
      objectRef = reference.completedBy(source.identity());
    }
    if (level.atLeast(Level.REQUEST)) {
      requestObject.json = source.json();
    }
  }

  /** Records a request body that is no object, such as a patch, from level Request on. */
  public void patch(ObjectSource source) {
    if (level.atLeast(Level.REQUEST)) {
      requestObject.json = source.json();
      requestObject.isObject = false;
    }
  }

  /** Records the response object, at level RequestResponse. */
  public void responseObject(ObjectSource source) {
    if (level.atLeast(Level.REQUEST_RESPONSE)) {
      responseObject.json = source.json();
    }
  }

  /** Records the outcome, which the events from here on show. */
  public void responded(ResponseStatus outcome) {
    status = outcome;
  }

  /** Whether an outcome is recorded. */
  public boolean hasResponded() {
    return status != null;
  }

  /**
   * Generates the events of a stage and hands them to the back ends; blocks as their modes say.
   *
   * @param annotations those that the request has by now
   */
  public Acceptance stage(Stage stage, Map<String, String> annotations) {
    Instant now = stage == Stage.REQUEST_RECEIVED ? facts.received() : clock.instant();
    Acceptance acceptance = Acceptance.ACCEPTED;
    Event previous = null;
    AuditConfig shown = null;
    for (Selected one : selected) {
      AuditConfig config = one.config();
      if (config.omitStages().contains(stage)) {
        continue;
      }
      // back ends that record the same share the event, and with it the encoded bytes
      if (previous == null || shown == null || !sameView(config, shown)) {
        previous = event(stage, now, config, annotations);
        shown = config;
      }
      acceptance = acceptance.and(one.sink().accept(previous));
    }
    if (previous != null) {
      metrics.event();
    }
    return acceptance;
  }

  private static boolean sameView(AuditConfig a, AuditConfig b) {
    return a.level() == b.level() && a.omitManagedFields() == b.omitManagedFields();
  }

  private Event event(
      Stage stage, Instant now, AuditConfig config, Map<String, String> annotations) {
    Omission omission = config.omitManagedFields() ? Omission.MANAGED_FIELDS : Omission.NOTHING;
    return new Event(
        new EventFields(
            config.level(),
            stage,
            facts,
            impersonated,
            objectRef,
            Confidential.shown(status, objectRef, config.level(), annotations),
            config.level().atLeast(Level.REQUEST) ? requestObject.compact(omission) : null,
            config.level().atLeast(Level.REQUEST_RESPONSE)
                ? responseObject.compact(omission)
                : null,
            now,
            Map.copyOf(annotations)));
  }

  /** A body and its compact form, which several events share. */
  private static final class Embedded {
    private byte @Nullable [] json;
    private boolean isObject = true;
    private @Nullable Omission made;
    private byte @Nullable [] compact;

    byte @Nullable [] compact(Omission wanted) {
      Omission omission = isObject ? wanted : Omission.NOTHING;
      byte[] body = json;
      if (body == null || body.length == 0) {
        return null;
      }
      if (made != omission) {
        compact = JsonDocument.compact(body, omission).orElse(null);
        made = omission;
      }
      return compact;
    }
  }
}
