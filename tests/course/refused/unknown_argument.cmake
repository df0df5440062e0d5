# kit_add_topic must refuse an unknown argument.
cmake_minimum_required(VERSION 3.25)
include(${KIT_ROOT}/common/cmake/kit_options.cmake)
include(${KIT_ROOT}/common/cmake/kit_topic.cmake)
kit_add_topic(00_first_kernel EXERCISE vector_add)
