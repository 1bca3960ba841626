import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Classes whose {@code invokedynamic} instructions are replaced by calls of ordinary methods, since
 * the JVM makes a class at run time for each of them that it meets, which takes longer than to load
 * one, and which no thread can do ahead:
 *
 * <ul>
 *   <li>a lambda or method reference by a class of its own, in the nest of the class it is in;
 *   <li>a concatenation of strings, the choice of a pattern of a {@code switch}, {@code equals} and
 *       {@code hashCode} of a record by static methods of the class.
 * </ul>
 *
 * <p>What is of another form (serializable lambdas, switches over constants) stays as it is.
 */
final class Desugared {

  private static final String MAKE = "make";
  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
  private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
  private static final int FIRST_WITH_NESTS = ClassFile.JAVA_11_VERSION;
  private static final char ARGUMENT = '\1';
  private static final char CONSTANT = '\2';

  private final ClassFile files;
  private final Map<String, byte[]> classes = new LinkedHashMap<>();
  private final Map<ClassDesc, List<ClassDesc>> members = new LinkedHashMap<>();
  private final List<String> failed = new ArrayList<>();

  /**
   * @param resolver finds the super classes of all classes that these mention
   */
  Desugared(ClassHierarchyResolver resolver) {
    files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(resolver));
  }

  /** Code of a method of the class. */
  private record Added(String name, MethodTypeDesc type, Consumer<CodeBuilder> code) {}

  /** A class under work: what is added to it and beside it. */
  private static final class Host {
    final ClassModel model;
    final ClassDesc type;
    final ClassDesc nest;
    final List<Added> added = new ArrayList<>();
    final Map<String, byte[]> beside = new LinkedHashMap<>();

    Host(ClassModel model) {
      this.model = model;
      this.type = model.thisClass().asSymbol();
      this.nest =
          model
              .findAttribute(Attributes.nestHost())
              .map(host -> host.nestHost().asSymbol())
              .orElse(type);
    }

    boolean isInterface() {
      return (model.flags().flagsMask() & ClassFile.ACC_INTERFACE) != 0;
    }
  }

  /** Adds a class, and the classes of its lambdas. */
  void add(String name, byte[] bytes) {
    try {
      Host host = new Host(files.parse(bytes));
      if (host.model.methods().stream().noneMatch(Desugared::hasInvokeDynamic)) {
        classes.put(name, bytes);
        return;
      }
      byte[] changed = transformed(host);
      classes.put(name, changed);
      classes.putAll(host.beside);
      for (String each : host.beside.keySet()) {
        members.computeIfAbsent(host.nest, nest -> new ArrayList<>()).add(ClassDesc.of(each));
      }
    } catch (IllegalArgumentException e) {
      // the frames of the class cannot be computed without an optional library
      failed.add(name + ": " + e.getMessage());
      classes.put(name, bytes);
    }
  }

  /** The classes that stay as they are, with the reason. */
  List<String> failed() {
    return failed;
  }

  /** The hosts of nests that classes were added to. */
  List<String> nests() {
    return members.keySet().stream().map(Desugared::name).toList();
  }

  /** All classes by their names; each host of a nest that has got members must be among them. */
  Map<String, byte[]> classes() {
    Map<String, byte[]> all = new LinkedHashMap<>(classes);
    members.forEach(
        (nest, more) ->
            all.computeIfPresent(name(nest), (name, bytes) -> withMembers(bytes, more)));
    return all;
  }

  private byte[] withMembers(byte[] bytes, List<ClassDesc> more) {
    ClassModel model = files.parse(bytes);
    List<ClassDesc> all = new ArrayList<>();
    model
        .findAttribute(Attributes.nestMembers())
        .ifPresent(
            before -> before.nestMembers().stream().map(ClassEntry::asSymbol).forEach(all::add));
    all.addAll(more);
    return files.transformClass(
        model,
        ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
            .andThen(
                ClassTransform.endHandler(
                    builder -> builder.with(NestMembersAttribute.ofSymbols(all)))));
  }

  private byte[] transformed(Host host) {
    return files.transformClass(
        host.model,
        ClassTransform.transformingMethodBodies(
                Desugared::hasInvokeDynamic,
                (code, element) -> {
                  if (!(element instanceof InvokeDynamicInstruction dynamic)
                      || !replaced(host, dynamic, code)) {
                    code.with(element);
                  }
                })
            .andThen(
                (builder, element) ->
                    builder.with(
                        element instanceof ClassFileVersion version
                                && version.majorVersion() < FIRST_WITH_NESTS
                            ? ClassFileVersion.of(FIRST_WITH_NESTS, 0)
                            : element))
            .andThen(
                ClassTransform.endHandler(
                    builder -> {
                      for (Added each : host.added) {
                        builder.withMethodBody(
                            each.name(),
                            each.type(),
                            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                            each.code());
                      }
                    })));
  }

  private static boolean hasInvokeDynamic(MethodModel method) {
    return method
        .code()
        .map(
            code -> {
              for (var element : code) {
                if (element instanceof InvokeDynamicInstruction) {
                  return true;
                }
              }
              return false;
            })
        .orElse(false);
  }

  /** Writes the call in place of the instruction; returns whether there is one. */
  private boolean replaced(Host host, InvokeDynamicInstruction dynamic, CodeBuilder code) {
    DirectMethodHandleDesc bootstrap = dynamic.bootstrapMethod();
    String factory = name(bootstrap.owner()) + "." + bootstrap.methodName();
    MethodTypeDesc type = dynamic.typeSymbol();
    List<ConstantDesc> arguments = dynamic.bootstrapArgs();
    if (factory.equals("java.lang.invoke.LambdaMetafactory.metafactory")) {
      code.invokestatic(lambda(host, dynamic), MAKE, type);
      return true;
    }
    Optional<Consumer<CodeBuilder>> body =
        switch (factory) {
          case "java.lang.invoke.StringConcatFactory.makeConcatWithConstants" ->
              Optional.of(each -> concatenation(each, type, arguments));
          case "java.lang.runtime.SwitchBootstraps.typeSwitch" ->
              arguments.stream().allMatch(label -> label instanceof ClassDesc)
                      && !type.parameterType(0).isPrimitive()
                  ? Optional.of(each -> typeSwitch(each, arguments))
                  : Optional.empty();
          case "java.lang.runtime.ObjectMethods.bootstrap" ->
              switch (dynamic.name().stringValue()) {
                case "equals" -> Optional.of(each -> equality(each, arguments));
                case "hashCode" -> Optional.of(each -> hash(each, arguments));
                default -> Optional.empty();
              };
          default -> Optional.empty();
        };
    if (body.isEmpty()) {
      return false;
    }
    String name = "dynamic$" + host.added.size();
    host.added.add(new Added(name, type, body.get()));
    code.invokestatic(host.type, name, type, host.isInterface());
    return true;
  }

  private ClassDesc lambda(Host host, InvokeDynamicInstruction dynamic) {
    MethodTypeDesc captured = dynamic.typeSymbol();
    MethodTypeDesc erased = (MethodTypeDesc) dynamic.bootstrapArgs().get(0);
    DirectMethodHandleDesc target = (DirectMethodHandleDesc) dynamic.bootstrapArgs().get(1);
    MethodTypeDesc actual = (MethodTypeDesc) dynamic.bootstrapArgs().get(2);
    ClassDesc made = ClassDesc.of(name(host.type) + "$$" + host.beside.size());
    MethodTypeDesc constructor = captured.changeReturnType(ConstantDescs.CD_void);
    boolean constant = captured.parameterCount() == 0;
    byte[] bytes =
        files.build(
            made,
            builder -> {
              builder
                  .withVersion(ClassFile.JAVA_21_VERSION, 0)
                  .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                  .withInterfaceSymbols(captured.returnType())
                  .with(NestHostAttribute.of(host.nest));
              for (int i = 0; i < captured.parameterCount(); i++) {
                builder.withField(
                    "f" + i,
                    captured.parameterType(i),
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
              }
              builder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  constructor,
                  0,
                  code -> constructor(code, made, captured));
              if (constant) {
                builder.withField(
                    "i", made, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
                builder.withMethodBody(
                    ConstantDescs.CLASS_INIT_NAME,
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_STATIC,
                    code ->
                        code.new_(made)
                            .dup()
                            .invokespecial(made, ConstantDescs.INIT_NAME, constructor)
                            .putstatic(made, "i", made)
                            .return_());
              }
              builder.withMethodBody(
                  MAKE,
                  captured,
                  ClassFile.ACC_STATIC,
                  code -> {
                    if (constant) {
                      code.getstatic(made, "i", made).areturn();
                      return;
                    }
                    code.new_(made).dup();
                    for (int i = 0; i < captured.parameterCount(); i++) {
                      code.loadLocal(kind(captured.parameterType(i)), code.parameterSlot(i));
                    }
                    code.invokespecial(made, ConstantDescs.INIT_NAME, constructor).areturn();
                  });
              builder.withMethodBody(
                  dynamic.name().stringValue(),
                  erased,
                  ClassFile.ACC_PUBLIC,
                  code -> call(code, made, captured, erased, target, actual));
            });
    host.beside.put(name(made), bytes);
    return made;
  }

  private static void constructor(CodeBuilder code, ClassDesc made, MethodTypeDesc captured) {
    code.aload(0)
        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    for (int i = 0; i < captured.parameterCount(); i++) {
      ClassDesc type = captured.parameterType(i);
      code.aload(0).loadLocal(kind(type), code.parameterSlot(i)).putfield(made, "f" + i, type);
    }
    code.return_();
  }

  /**
   * The method of the interface: converts the arguments and the result as LambdaMetafactory does.
   */
  private static void call(
      CodeBuilder code,
      ClassDesc made,
      MethodTypeDesc captured,
      MethodTypeDesc erased,
      DirectMethodHandleDesc target,
      MethodTypeDesc actual) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
    List<ClassDesc> wanted = new ArrayList<>(type.parameterList());
    boolean constructs = target.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
    boolean isStatic =
        target.kind() == DirectMethodHandleDesc.Kind.STATIC
            || target.kind() == DirectMethodHandleDesc.Kind.INTERFACE_STATIC;
    if (constructs) {
      code.new_(target.owner()).dup();
    } else if (!isStatic) {
      wanted.addFirst(target.owner());
    }
    int next = 0;
    for (int i = 0; i < captured.parameterCount(); i++) {
      ClassDesc from = captured.parameterType(i);
      code.aload(0).getfield(made, "f" + i, from);
      convert(code, from, wanted.get(next++));
    }
    for (int i = 0; i < erased.parameterCount(); i++) {
      ClassDesc from = erased.parameterType(i);
      code.loadLocal(kind(from), code.parameterSlot(i));
      convert(code, from, actual.parameterType(i));
      convert(code, actual.parameterType(i), wanted.get(next++));
    }
    ClassDesc result = constructs ? target.owner() : type.returnType();
    switch (target.kind()) {
      case CONSTRUCTOR -> code.invokespecial(target.owner(), ConstantDescs.INIT_NAME, type);
      case STATIC, INTERFACE_STATIC ->
          code.invokestatic(target.owner(), target.methodName(), type, target.isOwnerInterface());
      default -> {
        // a private method of the nest as well: it is selected as if it were final
        if (target.isOwnerInterface()) {
          code.invokeinterface(target.owner(), target.methodName(), type);
        } else {
          code.invokevirtual(target.owner(), target.methodName(), type);
        }
      }
    }
    ClassDesc returned = erased.returnType();
    if (returned.equals(ConstantDescs.CD_void)) {
      switch (kind(result).slotSize()) {
        case 1 -> code.pop();
        case 2 -> code.pop2();
        default -> {}
      }
    } else {
      convert(code, result, returned);
    }
    code.return_(kind(returned));
  }

  private static void convert(CodeBuilder code, ClassDesc from, ClassDesc to) {
    if (from.equals(to)) {
      return;
    }
    if (from.isPrimitive() && to.isPrimitive()) {
      code.conversion(kind(from), kind(to));
    } else if (from.isPrimitive()) {
      ClassDesc box = box(from);
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, from));
    } else if (to.isPrimitive()) {
      ClassDesc primitive = unboxed(from).orElse(to);
      ClassDesc box = box(primitive);
      if (!from.equals(box)) {
        code.checkcast(box);
      }
      code.invokevirtual(box, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
      convert(code, primitive, to);
    } else if (!to.equals(ConstantDescs.CD_Object)) {
      code.checkcast(to);
    }
  }

  private static ClassDesc box(ClassDesc primitive) {
    return switch (primitive.descriptorString().charAt(0)) {
      case 'Z' -> ConstantDescs.CD_Boolean;
      case 'B' -> ConstantDescs.CD_Byte;
      case 'C' -> ConstantDescs.CD_Character;
      case 'S' -> ConstantDescs.CD_Short;
      case 'I' -> ConstantDescs.CD_Integer;
      case 'J' -> ConstantDescs.CD_Long;
      case 'F' -> ConstantDescs.CD_Float;
      case 'D' -> ConstantDescs.CD_Double;
      default -> throw new IllegalStateException("no box of " + primitive);
    };
  }

  private static Optional<ClassDesc> unboxed(ClassDesc box) {
    for (String each : List.of("Z", "B", "C", "S", "I", "J", "F", "D")) {
      ClassDesc primitive = ClassDesc.ofDescriptor(each);
      if (box(primitive).equals(box)) {
        return Optional.of(primitive);
      }
    }
    return Optional.empty();
  }

  private static TypeKind kind(ClassDesc type) {
    return TypeKind.from(type);
  }

  private static void concatenation(
      CodeBuilder code, MethodTypeDesc type, List<ConstantDesc> arguments) {
    String recipe = (String) arguments.getFirst();
    code.new_(BUILDER)
        .dup()
        .invokespecial(BUILDER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    int argument = 0;
    int constant = 1;
    StringBuilder text = new StringBuilder();
    for (char each : recipe.toCharArray()) {
      if (each == CONSTANT) {
        text.append(arguments.get(constant++));
      } else if (each == ARGUMENT) {
        append(code, text);
        ClassDesc from = type.parameterType(argument);
        code.loadLocal(kind(from), code.parameterSlot(argument++));
        append(code, appended(from));
      } else {
        text.append(each);
      }
    }
    append(code, text);
    code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(ConstantDescs.CD_String)).areturn();
  }

  private static void append(CodeBuilder code, StringBuilder text) {
    if (!text.isEmpty()) {
      code.loadConstant(text.toString());
      append(code, ConstantDescs.CD_String);
      text.setLength(0);
    }
  }

  private static void append(CodeBuilder code, ClassDesc type) {
    code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, type));
  }

  /** The parameter of the method of StringBuilder that appends a value as a concatenation does. */
  private static ClassDesc appended(ClassDesc type) {
    if (type.equals(ConstantDescs.CD_byte) || type.equals(ConstantDescs.CD_short)) {
      return ConstantDescs.CD_int;
    }
    return type.isPrimitive() || type.equals(ConstantDescs.CD_String)
        ? type
        : ConstantDescs.CD_Object;
  }

  /**
   * The index of the first label, from the second argument on, that the first is of; -1 for null.
   */
  private static void typeSwitch(CodeBuilder code, List<ConstantDesc> labels) {
    Label present = code.newLabel();
    code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
    for (int i = 0; i < labels.size(); i++) {
      Label next = code.newLabel();
      code.iload(1).loadConstant(i).if_icmpgt(next);
      code.aload(0).instanceOf((ClassDesc) labels.get(i)).ifeq(next);
      code.loadConstant(i).ireturn().labelBinding(next);
    }
    code.loadConstant(labels.size()).ireturn();
  }

  private static List<DirectMethodHandleDesc> getters(List<ConstantDesc> arguments) {
    return arguments.subList(2, arguments.size()).stream()
        .map(DirectMethodHandleDesc.class::cast)
        .toList();
  }

  private static void equality(CodeBuilder code, List<ConstantDesc> arguments) {
    ClassDesc record = (ClassDesc) arguments.getFirst();
    Label differs = code.newLabel();
    code.aload(1).instanceOf(record).ifeq(differs);
    for (DirectMethodHandleDesc getter : getters(arguments)) {
      ClassDesc type = getter.invocationType().returnType();
      for (int side = 0; side < 2; side++) {
        code.aload(side);
        if (side == 1) {
          code.checkcast(record);
        }
        code.getfield(record, getter.methodName(), type);
      }
      if (type.isPrimitive()) {
        ClassDesc box = box(type);
        code.invokestatic(box, "compare", MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
            .ifne(differs);
      } else {
        code.invokestatic(
                OBJECTS,
                "equals",
                MethodTypeDesc.of(
                    ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
            .ifeq(differs);
      }
    }
    code.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
  }

  private static void hash(CodeBuilder code, List<ConstantDesc> arguments) {
    ClassDesc record = (ClassDesc) arguments.getFirst();
    code.iconst_0();
    for (DirectMethodHandleDesc getter : getters(arguments)) {
      ClassDesc type = getter.invocationType().returnType();
      code.loadConstant(31).imul().aload(0).getfield(record, getter.methodName(), type);
      ClassDesc owner = type.isPrimitive() ? box(type) : OBJECTS;
      ClassDesc parameter = type.isPrimitive() ? type : ConstantDescs.CD_Object;
      code.invokestatic(owner, "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, parameter))
          .iadd();
    }
    code.ireturn();
  }

  /** The binary name of a class. */
  private static String name(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }
}
