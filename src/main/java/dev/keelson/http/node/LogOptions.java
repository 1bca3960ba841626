package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.Query;
import dev.keelson.http.simulated.LogWindow;
import dev.keelson.value.GoQuote;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of {@code pods/log}, PodLogOptions (source: registry/core/pod {@code LogLocation},
 * {@code ValidatePodLogOptions}).
 *
 * @param container empty for the only one
 * @param insecure whether the kubelet's certificate is not verified
 */
record LogOptions(
    String container,
    boolean follow,
    boolean previous,
    @Nullable Long sinceSeconds,
    @Nullable Timestamp sinceTime,
    boolean timestamps,
    @Nullable Long tailLines,
    @Nullable Long limitBytes,
    boolean insecure,
    @Nullable String stream) {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "PodLogOptions");

  /**
   * Reads the parameters.
   *
   * @throws ApiException BadRequest if one has another type
   */
  static LogOptions of(Query query) {
    return new LogOptions(
        query.first("container"),
        query.flag("follow"),
        query.flag("previous"),
        number(query, "sinceSeconds"),
        time(query),
        query.flag("timestamps"),
        number(query, "tailLines"),
        number(query, "limitBytes"),
        query.flag("insecureSkipTLSVerifyBackend"),
        query.has("stream") ? query.first("stream") : null);
  }

  private static @Nullable Long number(Query query, String name) {
    if (!query.has(name)) {
      return null;
    }
    String text = query.first(name);
    if (!text.matches("[+-]?[0-9]+")) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing " + GoQuote.quote(text) + ": invalid syntax");
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException _) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing " + GoQuote.quote(text) + ": value out of range");
    }
  }

  private static @Nullable Timestamp time(Query query) {
    String text = query.first("sinceTime");
    if (text.isEmpty() || text.equals("null")) {
      return null;
    }
    try {
      return Timestamp.parse(text);
    } catch (ValueFormatException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  /**
   * Checks the values.
   *
   * @param pod the name in the error
   * @throws ApiException Invalid with all that is wrong
   */
  void validate(String pod) {
    List<FieldCause> causes = new ArrayList<>();
    if (tailLines != null && tailLines < 0) {
      causes.add(FieldCause.invalid("tailLines", tailLines, "must be greater than or equal to 0"));
    }
    if (limitBytes != null && limitBytes < 1) {
      causes.add(FieldCause.invalid("limitBytes", limitBytes, "must be greater than 0"));
    }
    if (sinceSeconds != null && sinceTime != null) {
      causes.add(
          // an empty field path, as Go shows it
          FieldCause.forbidden(
              "[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else if (sinceSeconds != null && sinceSeconds < 1) {
      causes.add(FieldCause.invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
    }
    if (stream != null) {
      // the feature PodLogsQuerySplitStreams is alpha in 1.36
      causes.add(FieldCause.forbidden("stream", "may not be specified"));
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(KIND, pod, causes);
    }
  }

  /** The same for a pod on a simulated node. */
  LogWindow window(Instant now) {
    Instant since =
        sinceSeconds != null
            ? now.minusSeconds(sinceSeconds)
            : sinceTime == null ? null : sinceTime.toInstant();
    return new LogWindow(follow, previous, since, timestamps, tailLines, limitBytes);
  }

  /** The query of the kubelet's containerLogs, in alphabetical order. */
  String query() {
    QueryText query = new QueryText();
    if (follow) {
      query.add("follow", "true");
    }
    if (limitBytes != null) {
      query.add("limitBytes", limitBytes.toString());
    }
    if (previous) {
      query.add("previous", "true");
    }
    if (sinceSeconds != null) {
      query.add("sinceSeconds", sinceSeconds.toString());
    }
    if (sinceTime != null) {
      query.add("sinceTime", sinceTime.format(Timestamp.Precision.SECONDS));
    }
    if (tailLines != null) {
      query.add("tailLines", tailLines.toString());
    }
    if (timestamps) {
      query.add("timestamps", "true");
    }
    return query.toString();
  }
}
