package dev.keelson.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shape of one value. Immutable. Schemas may be recursive: a struct's fields are resolved on
 * first use.
 */
public sealed interface SchemaNode {

  /** How server-side apply owns a list. */
  enum ListType {
    ATOMIC,
    SET,
    MAP
  }

  /**
   * A JSON array.
   *
   * @param element the shape of its elements
   * @param type how it is owned
   * @param mapKeys the fields that name an element of a {@link ListType#MAP} list; empty for the
   *     others
   * @param wrapped whether the protobuf wire carries the list as a message with repeated field 1
   */
  record ListOf(SchemaNode element, ListType type, List<String> mapKeys, boolean wrapped)
      implements SchemaNode {
    public ListOf {
      mapKeys = List.copyOf(mapKeys);
    }
  }

  /**
   * A JSON object with free keys and alike values.
   *
   * @param value the shape of its values
   * @param atomic whether server-side apply owns it as a whole
   */
  record MapOf(SchemaNode value, boolean atomic) implements SchemaNode {}

  /** A value without parts. */
  enum Scalar implements SchemaNode {
    STRING,
    INT32,
    INT64,
    UINT32,
    UINT64,
    DOUBLE,
    BOOL,
    /** Base64 in JSON. */
    BYTES,
    /** RFC 3339 with seconds, UTC. */
    TIME,
    /** RFC 3339 with six decimals, UTC. */
    MICRO_TIME,
    /** A Go duration string. */
    DURATION,
    INT_OR_STRING,
    /** A resource quantity, kept as written. */
    QUANTITY
  }

  /** A value without declared structure. */
  enum Free implements SchemaNode {
    /** Any JSON value, kept as it was sent. */
    RAW_JSON,
    /**
     * Any JSON value as Kubernetes' unversioned types hold it: without the order of its keys and
     * the spelling of its numbers (apiextensions.k8s.io, JSON).
     */
    ANY_JSON,
    /** The field paths of managedFields: a JSON object. */
    FIELDS_V1
  }

  /**
   * One of several shapes, told apart by what JSON has: an object, an array or a boolean. The
   * protobuf wire carries a message with one field for each.
   *
   * @param message the fields of that message
   */
  record Union(StructSchema message) implements SchemaNode {}

  /** A value of a custom resource; always a {@code StructuralSchema}. */
  non-sealed interface Structural extends SchemaNode {}

  /** What declares the fields of a struct while the server runs: a custom resource. */
  interface Declaration {

    /** The fields in the order in which JSON writes them. */
    List<Field> fields();

    /** Whether fields that are not declared are kept. */
    boolean openToUnknown();

    /**
     * What is derived from the declaration: made on first use, shared by all requests, released
     * when memory is short and made again.
     *
     * @param kind the class of the derived value, which is its key
     * @param make derives it; may run more than once when several threads ask at the same time
     */
    <T> T derived(Class<T> kind, Supplier<T> make);

    /**
     * White space that ends a stored value which was pruned and filled in as declared, so that it
     * can be served as it is. Values with another end must be read through a tree.
     */
    byte[] mark();
  }

  /**
   * A JSON object with declared fields. Identity counts: one instance a type. Safe for use by
   * several threads.
   *
   * <p>The fields are loaded on first use, so that a schema costs nothing until a request needs it
   * and types may contain themselves.
   */
  final class StructSchema implements SchemaNode {

    private final String name;
    private final String shortName;
    private final boolean atomic;
    private final boolean openToUnknown;
    private final Supplier<List<Field>> loader;
    private final @Nullable StructSchema declared;
    private final @Nullable Declaration declaration;
    private volatile @Nullable Loaded loaded;

    private volatile @Nullable WireMessage wire;

    private record Loaded(List<Field> fields, Map<String, Integer> index) {}

    /**
     * A struct.
     *
     * @param name the full name as OpenAPI has it, for example {@code io.k8s.api.core.v1.PodSpec}
     * @param atomic whether server-side apply owns the struct as a whole
     * @param openToUnknown whether fields that are not declared are kept (custom resources with
     *     preserve-unknown-fields)
     * @param loader gives the fields in the order in which JSON writes them; called at least once,
     *     on first use
     */
    public StructSchema(
        String name, boolean atomic, boolean openToUnknown, Supplier<List<Field>> loader) {
      this.name = name;
      this.shortName = name.substring(name.lastIndexOf('.') + 1);
      this.atomic = atomic;
      this.openToUnknown = openToUnknown;
      this.loader = loader;
      this.declared = null;
      this.declaration = null;
    }

    /**
     * The objects of a custom resource.
     *
     * @param name the full name as OpenAPI has it, for example {@code com.example.v1.CronTab}
     * @param declaration what declares their fields
     */
    public StructSchema(String name, Declaration declaration) {
      this.name = name;
      this.shortName = name.substring(name.lastIndexOf('.') + 1);
      this.atomic = false;
      this.openToUnknown = false;
      this.loader = declaration::fields;
      this.declared = null;
      this.declaration = declaration;
    }

    private StructSchema(StructSchema declared) {
      this.name = declared.name;
      this.shortName = declared.shortName;
      this.atomic = false;
      this.openToUnknown = declared.openToUnknown;
      this.loader = declared::fields;
      this.declared = declared;
      this.declaration = declared.declaration;
    }

    /** The same struct at a place where server-side apply owns it field by field. */
    public StructSchema granular() {
      return new StructSchema(this);
    }

    /** The struct as its type declares it: this one, or the one that it is a granular view of. */
    public StructSchema declared() {
      StructSchema type = declared;
      return type == null ? this : type;
    }

    /** The full name, for example {@code io.k8s.api.core.v1.PodSpec}. */
    public String name() {
      return name;
    }

    /** The last element of the name, which is the Go struct's name. */
    public String shortName() {
      return shortName;
    }

    public boolean atomic() {
      return atomic;
    }

    public boolean openToUnknown() {
      return declaration == null ? openToUnknown : declaration.openToUnknown();
    }

    /** The fields in the order in which JSON writes them. */
    public List<Field> fields() {
      return loaded().fields;
    }

    /** The position of the field in {@link #fields()}, or -1 if there is none of that JSON name. */
    public int indexOf(String jsonName) {
      return loaded().index.getOrDefault(jsonName, -1);
    }

    /** The field of that JSON name, or null. */
    public @Nullable Field field(String jsonName) {
      int position = indexOf(jsonName);
      return position < 0 ? null : fields().get(position);
    }

    /** The fields as the protobuf wire has them; made on first use. */
    public WireMessage wire() {
      WireMessage known = wire;
      if (known == null) {
        known = WireMessage.of(fields());
        wire = known;
      }
      return known;
    }

    /** What declares the fields of a custom resource; null for built-in types. */
    public @Nullable Declaration declaration() {
      return declaration;
    }

    private Loaded loaded() {
      // released with the schema that the fields are made of
      return declaration == null ? kept() : declaration.derived(Loaded.class, this::load);
    }

    private Loaded kept() {
      Loaded known = loaded;
      if (known == null) {
        known = load();
        loaded = known;
      }
      return known;
    }

    private Loaded load() {
      List<Field> fields = List.copyOf(loader.get());
      Map<String, Integer> index = new HashMap<>(fields.size() * 2);
      for (int i = 0; i < fields.size(); i++) {
        if (index.put(fields.get(i).name(), i) != null) {
          throw new IllegalStateException(name + " declares " + fields.get(i).name() + " twice");
        }
      }
      return new Loaded(fields, index);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * One field of a struct, as JSON shows it.
   *
   * @param name the JSON name
   * @param type its shape
   * @param number the number on the protobuf wire, 0 if it is never there ({@code apiVersion},
   *     {@code kind})
   * @param inlinedIn the numbers of the message fields that carry this field on the wire, outermost
   *     first; empty if the parent carries it itself
   * @param presence when the field is written
   * @param rules the rules beyond its shape
   */
  record Field(
      String name,
      SchemaNode type,
      int number,
      List<Integer> inlinedIn,
      Presence presence,
      Rules rules) {

    public Field {
      inlinedIn = List.copyOf(inlinedIn);
    }

    /** When a field is written, in the terms of the Go structs that clients compare with. */
    public enum Presence {
      /** A pointer with omitempty: written when set, even to a zero value. */
      POINTER,
      /** A value with omitempty: a zero scalar, an empty list or an empty map is not written. */
      OMIT_EMPTY,
      /** A struct held by value: written even when empty. */
      VALUE,
      /** A struct held by value that is not written when empty (omitzero). */
      OMIT_ZERO,
      /**
       * No omitempty: written even when zero; lists and maps without elements that were never set
       * as null.
       */
      ALWAYS,
      /** A pointer without omitempty: written as null when not set. */
      NULLABLE
    }

    /**
     * Rules beyond the shape.
     *
     * @param required the API calls the field required
     * @param immutable no update may change it
     * @param defaultJson the default as a JSON literal, or empty
     * @param patchStrategies strategic merge patch: {@code merge}, {@code replace}, {@code
     *     retainKeys}
     * @param patchMergeKey strategic merge patch: the merge key, or empty
     * @param known the known values of an enumerated string
     * @param disabled the field's feature gate is off, so that writes drop it
     * @param validation how validation treats the declared rules
     * @param goName the name in kube-apiserver's internal Go struct where it does not follow from
     *     the JSON name, or empty
     * @param publication what OpenAPI documents show
     */
    public record Rules(
        boolean required,
        boolean immutable,
        String defaultJson,
        List<String> patchStrategies,
        String patchMergeKey,
        List<String> known,
        boolean disabled,
        Validation validation,
        String goName,
        Publication publication) {

      /** No rule. */
      public static final Rules NONE = declared(/* required= */ false);

      /** The rules of a required field with no other rule. */
      public static final Rules REQUIRED = declared(/* required= */ true);

      public Rules {
        patchStrategies = List.copyOf(patchStrategies);
        known = List.copyOf(known);
      }

      private static Rules declared(boolean required) {
        return new Rules(
            required,
            /* immutable= */ false,
            /* defaultJson= */ "",
            List.of(),
            /* patchMergeKey= */ "",
            List.of(),
            /* disabled= */ false,
            Validation.DECLARED,
            /* goName= */ "",
            Publication.NOTHING);
      }
    }

    /**
     * Where validation differs from what the field declares. Kubernetes documents some fields as
     * required or enumerated and accepts other values, or rejects them by a rule of the kind.
     *
     * @param optional {@link Rules#required} is not enforced
     * @param requiredDetail the detail of the cause when a required field is missing, or empty
     * @param openEnum {@link Rules#known} is not enforced
     * @param skipped the declared rules of the field's value are not applied
     */
    public record Validation(
        boolean optional, String requiredDetail, boolean openEnum, boolean skipped) {

      /** The declared rules are enforced. */
      public static final Validation DECLARED = new Validation(false, "", false, false);
    }
  }

  /**
   * A struct as the protobuf wire carries it: its fields by number, and those that JSON shows in
   * their parent grouped by the messages they belong to. Immutable.
   */
  final class WireMessage {

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
          inlined
              .computeIfAbsent(field.inlinedIn().get(depth), _ -> new ArrayList<>())
              .add(position);
        }
      }
      inlined.forEach(
          (number, inner) ->
              members.add(new Inlined(checked(number), of(fields, inner, depth + 1))));
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
}
