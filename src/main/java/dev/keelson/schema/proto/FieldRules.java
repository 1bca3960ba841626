package dev.keelson.schema.proto;

import dev.keelson.schema.Publication;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListType;
import java.util.ArrayList;
import java.util.List;

/**
 * The option {@code (keelson.field)}.
 *
 * @param hold how a message or an empty value is held
 * @param inline whether the fields of the message are fields of the parent's JSON object
 * @param listType how a list is owned
 * @param mapKeys the keys of a list's elements
 * @param atomicMap whether a map is owned as a whole
 * @param granular whether a message is owned field by field whatever its type says
 * @param rules what is left for {@link Field}
 */
record FieldRules(
    Hold hold,
    boolean inline,
    ListType listType,
    List<String> mapKeys,
    boolean atomicMap,
    boolean granular,
    Field.Rules rules) {

  /** Which of {@code value}, {@code always} and {@code omit_zero} is set. */
  enum Hold {
    UNSET,
    VALUE,
    ALWAYS,
    OMIT_ZERO
  }

  static final FieldRules NONE =
      new FieldRules(Hold.UNSET, false, ListType.ATOMIC, List.of(), false, false, Field.Rules.NONE);

  /** Reads our extension out of a FieldOptions. */
  static FieldRules parse(WireReader options) {
    for (int next = options.next(); next != 0; next = options.next()) {
      if (next == MessageRules.EXTENSION) {
        return parseRules(options.message());
      }
      options.skip();
    }
    return NONE;
  }

  private static FieldRules parseRules(WireReader in) {
    boolean value = false;
    boolean always = false;
    boolean omitZero = false;
    boolean inline = false;
    boolean required = false;
    String defaultJson = "";
    List<String> patchStrategies = new ArrayList<>(0);
    String patchMergeKey = "";
    int listType = 0;
    List<String> mapKeys = new ArrayList<>(0);
    boolean atomicMap = false;
    boolean granular = false;
    List<String> known = new ArrayList<>(0);
    boolean immutable = false;
    boolean disabled = false;
    boolean optional = false;
    String requiredDetail = "";
    boolean openEnum = false;
    boolean unvalidated = false;
    String goName = "";
    boolean codedDefault = false;
    boolean unpublishedEnum = false;
    List<String> publishedEnum = new ArrayList<>(0);
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case 1 -> value = in.bool();
        case 2 -> always = in.bool();
        case 3 -> omitZero = in.bool();
        case 4 -> inline = in.bool();
        case 5 -> required = in.bool();
        case 6 -> defaultJson = in.string();
        case 7 -> patchStrategies.add(in.string());
        case 8 -> patchMergeKey = in.string();
        case 9 -> listType = in.integer();
        case 10 -> mapKeys.add(in.string());
        case 11 -> atomicMap = in.bool();
        case 12 -> known.add(in.string());
        case 13 -> immutable = in.bool();
        case 15 -> granular = in.bool();
        case 16 -> disabled = in.bool();
        case 17 -> optional = in.bool();
        case 18 -> requiredDetail = in.string();
        case 19 -> openEnum = in.bool();
        case 20 -> unvalidated = in.bool();
        case 21 -> goName = in.string();
        case 22 -> codedDefault = in.bool();
        case 23 -> unpublishedEnum = in.bool();
        case 24 -> publishedEnum.add(in.string());
        default -> in.skip();
      }
    }
    Hold hold = omitZero ? Hold.OMIT_ZERO : always ? Hold.ALWAYS : value ? Hold.VALUE : Hold.UNSET;
    return new FieldRules(
        hold,
        inline,
        listTypeOf(listType),
        mapKeys,
        atomicMap,
        granular,
        new Field.Rules(
            required,
            immutable,
            defaultJson,
            patchStrategies,
            patchMergeKey,
            known,
            disabled,
            new Field.Validation(optional, requiredDetail, openEnum, unvalidated),
            goName,
            new Publication(
                !codedDefault,
                unpublishedEnum ? List.of() : publishedEnum.isEmpty() ? known : publishedEnum,
                listType != 0)));
  }

  /** A list whose type is not said is owned as a whole. */
  private static ListType listTypeOf(int number) {
    return switch (number) {
      case 2 -> ListType.SET;
      case 3 -> ListType.MAP;
      default -> ListType.ATOMIC;
    };
  }
}
