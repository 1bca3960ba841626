package dev.keelson.http.options;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.Query;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.WatchQuery.Start;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of get, list and watch, in the combinations that Kubernetes allows (contract,
 * "Query parameters"; Kubernetes' API concepts, "Semantics for get, list and watch").
 */
public final class ListOptions {

  private static final GroupVersionKind KIND =
      new GroupVersionKind("meta.k8s.io", "v1", "ListOptions");
  private static final String NOT_OLDER_THAN = "NotOlderThan";
  private static final String EXACT = "Exact";

  private final Query query;
  private final String version;
  private final String match;
  private final String token;
  private final long limit;

  private ListOptions(Query query) {
    this.query = query;
    version = query.first("resourceVersion");
    match = query.first("resourceVersionMatch");
    token = query.first("continue");
    limit = Math.max(0, number(query, "limit"));
    long unused = number(query, "timeoutSeconds");
  }

  /**
   * Parses the resourceVersion of a get. With {@code resourceVersionMatch=Exact} it names the
   * revision whose state is read; Kubernetes ignores that parameter of a get, so that every other
   * value and combination has no effect here either.
   */
  public static ReadVersion get(Query query) {
    ListOptions options = new ListOptions(query);
    boolean versioned = !options.version.isEmpty() && !options.version.equals("0");
    return versioned && options.match.equals(EXACT)
        ? new ReadVersion.Exactly(options.revision())
        : options.notOlderThan();
  }

  /**
   * Parses the page of a list.
   *
   * @throws ApiException of reason Invalid or BadRequest for an invalid combination
   */
  public static ListPage list(Query query) {
    ListOptions options = new ListOptions(query);
    options.checkList();
    return options.page();
  }

  /**
   * Parses the start of a watch.
   *
   * @throws ApiException of reason Invalid or BadRequest for an invalid combination
   */
  public static Start watch(Query query) {
    ListOptions options = new ListOptions(query);
    options.checkWatch();
    return options.start();
  }

  private ListPage page() {
    if (!token.isEmpty()) {
      boolean versioned = !version.isEmpty() && !version.equals("0");
      return new ListPage(ReadVersion.NEWEST, limit, token, versioned);
    }
    if (version.equals("0")) {
      // as in kube-apiserver: resourceVersion=0 ignores the limit
      return new ListPage(ReadVersion.ANY, 0, "");
    }
    boolean exact = match.equals(EXACT) || (match.isEmpty() && limit > 0 && !version.isEmpty());
    return new ListPage(exact ? new ReadVersion.Exactly(revision()) : notOlderThan(), limit, "");
  }

  private ReadVersion notOlderThan() {
    return switch (version) {
      case "" -> ReadVersion.NEWEST;
      case "0" -> ReadVersion.ANY;
      default -> new ReadVersion.NotOlderThan(revision());
    };
  }

  private Start start() {
    if (query.has("sendInitialEvents")) {
      return query.flag("sendInitialEvents") ? new Start.Objects(notOlderThan()) : after();
    }
    return switch (version) {
      case "", "0" -> new Start.Objects(notOlderThan());
      default -> after();
    };
  }

  private Start after() {
    return version.isEmpty() || version.equals("0") ? new Start.Now() : new Start.After(revision());
  }

  private void checkList() {
    List<FieldCause> causes = new ArrayList<>();
    if (!match.isEmpty()) {
      if (version.isEmpty()) {
        causes.add(
            FieldCause.forbidden(
                "resourceVersionMatch",
                "resourceVersionMatch is forbidden unless resourceVersion is provided"));
      }
      if (!token.isEmpty()) {
        causes.add(
            FieldCause.forbidden(
                "resourceVersionMatch",
                "resourceVersionMatch is forbidden when continue is provided"));
      }
      if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
        causes.add(unsupported(match, "\"Exact\", \"NotOlderThan\", \"\""));
      }
      if (match.equals(EXACT) && version.equals("0")) {
        causes.add(
            FieldCause.forbidden(
                "resourceVersionMatch",
                "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (query.has("sendInitialEvents")) {
      causes.add(
          FieldCause.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    refuse(causes);
  }

  private void checkWatch() {
    // kubectl events --watch sends a limit, which means nothing here
    if (!token.isEmpty()) {
      throw ApiException.badRequest("continue is not supported with watch; leave it out");
    }
    List<FieldCause> causes = new ArrayList<>();
    boolean sends = query.has("sendInitialEvents");
    if (sends && !match.equals(NOT_OLDER_THAN)) {
      causes.add(
          FieldCause.forbidden(
              "resourceVersionMatch",
              "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      if (!sends) {
        causes.add(
            FieldCause.forbidden(
                "resourceVersionMatch",
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is"
                    + " provided"));
      }
      if (!match.equals(NOT_OLDER_THAN)) {
        causes.add(unsupported(match, "\"NotOlderThan\""));
      }
    }
    refuse(causes);
  }

  private static void refuse(List<FieldCause> causes) {
    if (!causes.isEmpty()) {
      throw ApiException.invalid(KIND, "", causes);
    }
  }

  private static FieldCause unsupported(String value, String supported) {
    return new FieldCause(
        "FieldValueNotSupported",
        "Unsupported value: \"" + value + "\": supported values: " + supported,
        "resourceVersionMatch");
  }

  private long revision() {
    boolean digits = version.chars().allMatch(c -> c >= '0' && c <= '9');
    try {
      if (digits) {
        return Long.parseLong(version);
      }
    } catch (NumberFormatException e) {
      // rejected below as too large
    }
    throw ApiException.badRequest(
        "invalid resource version: resourceVersion: Invalid value: \""
            + version
            + "\": strconv.ParseUint: parsing \""
            + version
            + "\": "
            + (digits ? "value out of range" : "invalid syntax"));
  }

  /**
   * Parses an integer parameter; 0 if absent.
   *
   * @throws ApiException of reason BadRequest for anything else
   */
  public static long number(Query query, String name) {
    if (!query.has(name)) {
      return 0;
    }
    String value = query.first(name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      boolean digits =
          value
              .chars()
              .skip(value.startsWith("-") || value.startsWith("+") ? 1 : 0)
              .allMatch(Character::isDigit);
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \""
              + value
              + "\": "
              + (digits && value.length() > 1 ? "value out of range" : "invalid syntax"));
    }
  }
}
