package dev.keelson.http.trail;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelRequirement;
import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailId;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailQuery.Term;
import dev.keelson.http.Query;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a request. Field selectors and label selectors name the fields of {@link
 * TrailField}; {@code since}, {@code until}, {@code text} and {@code object} are parameters, and
 * may also be terms of a field selector, since kubectl sends no parameters of its own. Used by one
 * thread.
 */
final class TrailSelection {

  private static final List<String> PARAMETERS = List.of("since", "until", "text", "object");

  private static final String KNOWN =
      Stream.concat(
              Stream.of("metadata.name", "metadata.namespace"),
              Stream.concat(
                  Arrays.stream(TrailField.values()).map(TrailField::label), PARAMETERS.stream()))
          .map(name -> '"' + name + '"')
          .collect(Collectors.joining(", "));

  private final Instant now;
  private final List<Term> terms = new ArrayList<>();
  private final List<String> words = new ArrayList<>();
  private @Nullable String from;
  private @Nullable String to;
  private @Nullable ObjectPath object;

  private TrailSelection(Instant now) {
    this.now = now;
  }

  /**
   * What a request selects.
   *
   * @param query the condition
   * @param object whose life is asked for, or null
   */
  record Selected(TrailQuery query, @Nullable ObjectPath object) {}

  /**
   * Reads the conditions of a request.
   *
   * @param namespace of the path, or empty
   * @param now relative times are before it
   * @throws ApiException of reason BadRequest for unknown fields and malformed values
   */
  static Selected of(String namespace, ListQuery selection, Query query, Instant now) {
    TrailSelection read = new TrailSelection(now);
    if (!namespace.isEmpty()) {
      read.terms.add(TrailQuery.is(TrailField.NAMESPACE, namespace));
    }
    for (String name : PARAMETERS) {
      for (String value : query.all(name)) {
        read.parameter(name, value);
      }
    }
    selection.fields().terms().forEach(read::term);
    selection.labels().requirements().forEach(read::requirement);
    ObjectPath object = read.object;
    if (object != null && !namespace.isEmpty() && !object.namespace().equals(namespace)) {
      throw ApiException.badRequest(
          "the object is in the namespace \""
              + object.namespace()
              + "\", the request in \""
              + namespace
              + "\"");
    }
    return new Selected(new TrailQuery(read.terms, read.from, read.to, read.words), object);
  }

  private void term(FieldSelector.Term term) {
    if (PARAMETERS.contains(term.field())) {
      positive(term);
      parameter(term.field(), term.value());
      return;
    }
    switch (term.field()) {
      case "metadata.name" -> {
        positive(term);
        from(term.value());
        // behind the name, and before every other identifier
        to(term.value() + '!');
      }
      case "metadata.namespace" -> add(TrailField.NAMESPACE, term);
      case "resource" -> resource(term);
      default -> add(TrailField.of(term.field()).orElseThrow(() -> unknown(term.field())), term);
    }
  }

  private static ApiException unknown(String field) {
    return ApiException.badRequest(
        "\"" + field + "\" is not a known field selector: only " + KNOWN);
  }

  private static void positive(FieldSelector.Term term) {
    if (term.negated()) {
      throw ApiException.badRequest("\"" + term.field() + "\" cannot be negated");
    }
  }

  private void add(TrailField field, FieldSelector.Term term) {
    terms.add(new Term(field, List.of(term.value()), term.negated()));
  }

  /** A resource as kubectl writes it: {@code deployments.apps}, {@code pods/log}. */
  private void resource(FieldSelector.Term term) {
    String value = term.value();
    int slash = value.indexOf('/');
    String whole = slash < 0 ? value : value.substring(0, slash);
    int dot = whole.indexOf('.');
    if (dot < 0 && slash < 0) {
      add(TrailField.RESOURCE, term);
      return;
    }
    if (term.negated()) {
      throw ApiException.badRequest("\"resource\" cannot be negated with a group or subresource");
    }
    terms.add(TrailQuery.is(TrailField.RESOURCE, dot < 0 ? whole : whole.substring(0, dot)));
    if (dot >= 0) {
      terms.add(TrailQuery.is(TrailField.API_GROUP, whole.substring(dot + 1)));
    }
    if (slash >= 0) {
      terms.add(TrailQuery.is(TrailField.SUBRESOURCE, value.substring(slash + 1)));
    }
  }

  private void requirement(LabelRequirement requirement) {
    TrailField field =
        TrailField.of(requirement.key()).orElseThrow(() -> unknown(requirement.key()));
    List<String> values = List.copyOf(requirement.values());
    terms.add(
        switch (requirement.operator()) {
          case IN -> new Term(field, values, /* negated= */ false);
          case NOT_IN -> new Term(field, values, /* negated= */ true);
          case EXISTS -> TrailQuery.isNot(field, "");
          case DOES_NOT_EXIST -> TrailQuery.is(field, "");
          case GREATER_THAN, LESS_THAN ->
              throw ApiException.badRequest("\"" + requirement.key() + "\" has no order");
        });
  }

  private void parameter(String name, String value) {
    switch (name) {
      case "since" -> from(TrailId.from(time(name, value)));
      case "until" -> to(TrailId.from(time(name, value)));
      case "text" ->
          Arrays.stream(value.strip().split("\\s+", -1))
              .filter(word -> !word.isEmpty())
              .forEach(words::add);
      case "object" -> object = ObjectPath.parse(value);
      default -> throw unknown(name);
    }
  }

  /** Several lower bounds hold together. */
  private void from(String id) {
    String known = from;
    from = known == null || known.compareTo(id) < 0 ? id : known;
  }

  private void to(String id) {
    String known = to;
    to = known == null || known.compareTo(id) > 0 ? id : known;
  }

  private Instant time(String name, String value) {
    return moment(value)
        .or(() -> day(value))
        .or(() -> ago(value))
        .orElseThrow(
            () ->
                ApiException.badRequest(
                    "%s: expected a time such as 2026-01-31T08:30:00Z, a day such as 2026-01-31, or"
                            .formatted(name)
                        + " a duration before now such as 2h, found \""
                        + value
                        + "\""));
  }

  private static Optional<Instant> moment(String value) {
    try {
      return Optional.of(Timestamp.parse(value.toUpperCase(Locale.ROOT)).toInstant());
    } catch (ValueFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> day(String value) {
    try {
      return Optional.of(LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private Optional<Instant> ago(String value) {
    try {
      Duration before = GoDuration.parse(value).toDuration();
      return before.isNegative() ? Optional.empty() : Optional.of(now.minus(before));
    } catch (ValueFormatException e) {
      return Optional.empty();
    }
  }
}
