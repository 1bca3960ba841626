package dev.keelson.audit.trail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Selects events; all conditions must hold.
 *
 * @param terms conditions on single fields
 * @param from the first identifier, inclusive, or a text of {@link TrailId#from}; null for no bound
 * @param to behind the last identifier, exclusive; null for no bound
 * @param words texts that the path or the message of the response contains, in any case
 */
public record TrailQuery(
    List<Term> terms, @Nullable String from, @Nullable String to, List<String> words) {

  /** Every event. */
  public static final TrailQuery ALL = new TrailQuery(List.of(), null, null, List.of());

  /**
   * A condition on a field. A code may be given as a class, for example {@code 4xx}.
   *
   * @param values the field must match one of them; at least one
   * @param negated whether the field must match none of them instead
   */
  public record Term(TrailField field, List<String> values, boolean negated) {

    public Term {
      values = List.copyOf(values);
      if (values.isEmpty()) {
        throw new IllegalArgumentException("a condition on " + field + " without a value");
      }
    }
  }

  public TrailQuery {
    terms = List.copyOf(terms);
    words = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
  }

  /** Events whose fields have these values. */
  public static TrailQuery of(Term... terms) {
    return new TrailQuery(List.of(terms), null, null, List.of());
  }

  /** The field matches one of the values. */
  public static Term is(TrailField field, String... values) {
    return new Term(field, List.of(values), false);
  }

  /** The field matches none of the values. */
  public static Term isNot(TrailField field, String... values) {
    return new Term(field, List.of(values), true);
  }

  /** The same with one more condition. */
  public TrailQuery and(Term term) {
    List<Term> more = new ArrayList<>(terms);
    more.add(term);
    return new TrailQuery(more, from, to, words);
  }
}
