package dev.keelson.request;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request: user, audit id, deadline and warnings. Used by one thread, but for
 * warnings and annotations, which any thread that works for the request may add.
 *
 * <p>Warnings beyond 4,096 characters in total are cut, as in Kubernetes, since they are sent in
 * headers, which cannot have control characters either.
 */
public final class RequestContext implements AuditAnnotations {

  private static final int MAX_WARNING_CHARACTERS = 4096;
  private static final int LONGEST_CUT_WARNING = 256;

  /** More than the total, in units of a string of supplementary characters. */
  private static final int LONGEST_KEPT_WARNING = 2 * MAX_WARNING_CHARACTERS + 2;

  private UserInfo user;
  private final String auditId;
  private final Set<String> warnings = new LinkedHashSet<>();
  private int warningCharacters;

  /** Null while nobody audits the request. */
  private @Nullable Map<String, String> annotations;

  private @Nullable Instant received;
  private final Latencies latencies = new Latencies();
  private @Nullable RuntimeException failure;
  private @Nullable Impersonation impersonation;
  private @Nullable Classification classification;
  private @Nullable Deprecation deprecated;
  private volatile @Nullable Interruption interruption;
  private @Nullable Refuser refuser;
  private Deadline deadline = Deadline.none();
  private volatile boolean showsBodies;

  /**
   * As whom the request acts.
   *
   * @param user the impersonated user
   * @param constraint the verb of a constrained impersonation; empty for the legacy verb
   */
  public record Impersonation(UserInfo user, String constraint) {}

  /**
   * Where priority and fairness put a request: the uids of the objects, which tell less than their
   * names.
   *
   * @param schemaUid the uid of the FlowSchema; empty if this server supplied a missing one
   * @param levelUid the uid of the priority level; empty likewise
   */
  public record Classification(String schemaUid, String levelUid) {}

  /**
   * That the version of the request will be removed.
   *
   * @param removedRelease the release without it, for example {@code 1.38}; empty if that is open
   */
  public record Deprecation(String removedRelease) {}

  /** What refuses requests in self-defence. */
  public enum Refuser {
    /** This server: a request too many. */
    APISERVER,
    /** The proxy of API services: one that is not available. */
    AGGREGATOR
  }

  /**
   * @param user the user, anonymous until {@link #identify} is called
   * @param auditId the id in the log, the audit log and the response
   */
  public RequestContext(UserInfo user, String auditId) {
    this.user = user;
    this.auditId = auditId;
  }

  public UserInfo user() {
    return user;
  }

  /** Sets the user. */
  public void identify(UserInfo user) {
    this.user = user;
  }

  public String auditId() {
    return auditId;
  }

  /**
   * Adds a warning for the client; duplicates, empty ones and those with control characters are
   * dropped.
   */
  public synchronized void warn(String text) {
    // a longer one is cut to less anyway
    String kept =
        text.length() > LONGEST_KEPT_WARNING ? text.substring(0, LONGEST_KEPT_WARNING) : text;
    if (!kept.isEmpty()
        && kept.codePoints().noneMatch(Character::isISOControl)
        && (warningCharacters < MAX_WARNING_CHARACTERS || !truncated())
        && warnings.add(kept)) {
      warningCharacters += kept.codePointCount(0, kept.length());
    }
  }

  private boolean truncated() {
    return warnings().size() < warnings.size();
  }

  /**
   * The warnings so far, in order. If they are longer than 4,096 characters in total, each is cut
   * at 256, and those after the one that exceeds the total are left out once what is shown reaches
   * it as well (source: apiserver, filters/warning.go).
   */
  public synchronized List<String> warnings() {
    if (warningCharacters <= MAX_WARNING_CHARACTERS) {
      return new ArrayList<>(warnings);
    }
    List<String> shown = new ArrayList<>();
    int whole = 0;
    int cut = 0;
    for (String warning : warnings) {
      if (whole > MAX_WARNING_CHARACTERS && cut >= MAX_WARNING_CHARACTERS) {
        break;
      }
      int characters = warning.codePointCount(0, warning.length());
      int length = Math.min(characters, LONGEST_CUT_WARNING);
      whole += characters;
      cut += length;
      shown.add(warning.substring(0, warning.offsetByCodePoints(0, length)));
    }
    return shown;
  }

  /** Makes the request act as another user from here on. */
  public void impersonate(UserInfo other, String constraint) {
    impersonation = new Impersonation(other, constraint);
    identify(other);
  }

  /** As whom the request acts; null if the user is the one who sent it. */
  public @Nullable Impersonation impersonation() {
    return impersonation;
  }

  /**
   * Records where priority and fairness puts the request.
   *
   * @param schemaUid the uid of the FlowSchema; may be empty
   * @param levelUid the uid of the priority level; may be empty
   */
  public void classify(String schemaUid, String levelUid) {
    classification = new Classification(schemaUid, levelUid);
  }

  /** Where priority and fairness put the request; null if it did not. */
  public @Nullable Classification classification() {
    return classification;
  }

  /** Records that the version of the request will be removed. */
  public void deprecate(Deprecation what) {
    deprecated = what;
  }

  /** That the version of the request will be removed; null if it will not. */
  public @Nullable Deprecation deprecated() {
    return deprecated;
  }

  /** Records that the request is refused in self-defence. */
  public void refusedBy(Refuser who) {
    refuser = who;
  }

  /** What has refused the request in self-defence; null if nothing has. */
  public @Nullable Refuser refuser() {
    return refuser;
  }

  /** Sets what is told if the connection interrupts the request. */
  public void interruptedTo(Interruption listener) {
    interruption = listener;
  }

  /** What is told if the connection interrupts the request; null before the request is measured. */
  public @Nullable Interruption interruption() {
    return interruption;
  }

  /** When the request must be answered. */
  public Deadline deadline() {
    return deadline;
  }

  /** Sets when the request must be answered. */
  public void answerBy(Deadline time) {
    deadline = time;
  }

  /** Records that the audit events of the request show bodies. */
  public void showBodies() {
    showsBodies = true;
  }

  @Override
  public boolean showsBodies() {
    return showsBodies;
  }

  /** Refuses the request before anybody asks whose it is. */
  public void fail(RuntimeException why) {
    failure = why;
  }

  /** Why the request is refused whosever it is; null if it is not. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Records when the request arrived; the request is audited from here on. */
  public void received(Instant time) {
    received = time;
    annotations = new LinkedHashMap<>(4);
  }

  /** Whether annotations of the request are read by anyone. */
  public boolean isAudited() {
    return annotations != null;
  }

  /** How long the layers worked for the request. */
  public Latencies latencies() {
    return latencies;
  }

  /** When the request arrived; null if nobody recorded it. */
  public @Nullable Instant received() {
    return received;
  }

  /**
   * Adds an annotation to the audit events of the request; the first value of a key stays. Does
   * nothing if the request is not audited.
   */
  @Override
  public synchronized void annotate(String key, String value) {
    Map<String, String> sofar = annotations;
    if (sofar != null) {
      sofar.putIfAbsent(key, value);
    }
  }

  /** The annotations so far. */
  public synchronized Map<String, String> annotations() {
    Map<String, String> sofar = annotations;
    return sofar == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(sofar));
  }
}
