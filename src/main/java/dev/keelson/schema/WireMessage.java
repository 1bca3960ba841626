package dev.keelson.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A struct as the protobuf wire carries it: its fields by number, and those that JSON shows in
 * their parent gathered again in the messages they belong to. Immutable.
 */
public final class WireMessage {

  /** Far above any number of the API; the look-up table is an array. */
  private static final int HIGHEST_NUMBER = 4095;

  private final List<Member> members;
  private final @Nullable Member[] byNumber;

  /** One field of the message. */
  public sealed interface Member {
    int number();
  }

  /**
   * A field that JSON shows under its own name.
   *
   * @param number on the wire
   * @param position in {@link StructSchema#fields()}
   * @param field the field there
   */
  public record Own(int number, int position, Field field) implements Member {}

  /**
   * A message whose fields JSON shows in the struct itself.
   *
   * @param number on the wire
   * @param message its fields; their positions are those in the struct
   */
  public record Inlined(int number, WireMessage message) implements Member {}

  private WireMessage(List<Member> unordered) {
    List<Member> ordered = new ArrayList<>(unordered);
    ordered.sort(Comparator.comparingInt(Member::number));
    members = List.copyOf(ordered);
    byNumber = new Member[members.isEmpty() ? 1 : members.getLast().number() + 1];
    for (Member member : members) {
      if (byNumber[member.number()] != null) {
        throw new IllegalStateException("field number " + member.number() + " is used twice");
      }
      byNumber[member.number()] = member;
    }
  }

  /** The message of a struct with {@code fields}. */
  static WireMessage of(List<Field> fields) {
    List<Integer> positions = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      // without a number: apiVersion and kind, which only the envelope has
      if (fields.get(i).number() != 0) {
        positions.add(i);
      }
    }
    return of(fields, positions, 0);
  }

  private static WireMessage of(List<Field> fields, List<Integer> positions, int depth) {
    List<Member> members = new ArrayList<>(positions.size());
    Map<Integer, List<Integer>> inlined = new LinkedHashMap<>();
    for (int position : positions) {
      Field field = fields.get(position);
      if (field.inlinedIn().size() == depth) {
        members.add(new Own(checked(field.number()), position, field));
      } else {
        inlined.computeIfAbsent(field.inlinedIn().get(depth), _ -> new ArrayList<>()).add(position);
      }
    }
    inlined.forEach(
        (number, inner) -> members.add(new Inlined(checked(number), of(fields, inner, depth + 1))));
    return new WireMessage(members);
  }

  private static int checked(int number) {
    if (number < 1 || number > HIGHEST_NUMBER) {
      throw new IllegalStateException("field number " + number + " is out of range");
    }
    return number;
  }

  /** The fields by rising number. */
  public List<Member> members() {
    return members;
  }

  /** The field of that number, or null if there is none. */
  public @Nullable Member member(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }
}
